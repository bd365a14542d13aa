import { Type } from '@sinclair/typebox'
import { type Endpoint, endpoint, type Method } from '../../http/endpoint.ts'
import { optional, text, username } from '../../http/fields.ts'
import { NAME_MAX } from '../../kernel/names.ts'
import { throttled } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import type { Users } from './users.ts'

const shown = {
  pk: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
}

/** Every field of a user that can be shown. The settings may show fewer. */
export const AnyUserDetails = Type.Partial(Type.Object(shown))

const editable = {
  username: optional(username()),
  first_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  last_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
}

/** The fields of a user for clients; `USER_DETAILS_SERIALIZER` says which. */
export function userDetails({ REST_AUTH }: Pick<Settings, 'REST_AUTH'>) {
  const { fields } = REST_AUTH.USER_DETAILS_SERIALIZER
  return {
    schema: Type.Partial(Type.Pick(Type.Object(shown), fields), { $id: 'UserDetails' }),
    of: (user: User) => {
      const { id: pk, username, email, first_name, last_name } = user
      return pick({ pk, username, email, first_name, last_name }, fields)
    },
  }
}

type Needs = { users: Users; settings: Pick<Settings, 'REST_AUTH'> }

export function userEndpoints({ users, settings }: Needs): Endpoint[] {
  const details = userDetails(settings)
  const common = { path: 'user/', access: 'signed-in', throttle: 'none' } as const
  const replies = { 200: details.schema }

  const show = endpoint({
    ...common,
    method: 'GET',
    operationId: 'getUser',
    summary: 'The user who is signed in',
    replies,
    handle: async ({ identity }) => details.of(identity.user),
  })

  const update = (method: Method, operationId: string) =>
    endpoint({
      ...common,
      method,
      operationId,
      summary: 'Change details of the user; what is not sent stays as it is',
      body: pick(editable, settings.REST_AUTH.USER_DETAILS_SERIALIZER.editable),
      check: ({ identity, body, address }) => users.check(identity.user, body, address),
      faults: { username: ['username_taken'] },
      replies,
      refusals: [() => throttled(54)],
      handle: async ({ identity, body }) => details.of(await users.change(identity.user, body)),
    })

  return [show, update('PUT', 'replaceUser'), update('PATCH', 'updateUser')]
}

function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Partial<T> {
  const picked: Partial<T> = {}
  for (const key of keys) picked[key] = object[key]
  return picked
}
