import { type TSchema, Type } from '@sinclair/typebox'
import { email, optional, password, text, username } from '../../http/fields.ts'
import type { Pk } from '../../kernel/ids.ts'
import { NAME_MAX } from '../../kernel/names.ts'
import { problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { Actor } from './actor.ts'
import type { AnswerAccount } from './answer-account.ts'
import { type AccountChanges, CHANGE, changesBy, OWN_CHANGE } from './changes.ts'
import { choice, flag, groups, integer, ownFields, pk, time } from './fields-of-operations.ts'
import { operation } from './operation.ts'

type Needs = UpToAccount & { answerAccount: AnswerAccount }
type Changes = ReturnType<typeof changesBy>

export const STATES = [
  'active',
  'inactive',
  'unverified',
  'staff',
  'superuser',
  'mfa',
  'no-mfa',
] as const
export const SORTS = [
  'date_joined',
  '-date_joined',
  'last_login',
  '-last_login',
  'username',
  '-username',
] as const

const CURSOR_MAX = 2048
export const page = {
  limit: optional(integer({ min: 1, max: 200 })),
  after: optional(text({ max: CURSOR_MAX })),
}

export const listOf = (item: TSchema) =>
  Type.Object({ results: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) })

const LOOK = { scope: 'read', needs: 'staff', changes: false } as const
const PASSWORD_MAX = 128
const QUERY_MAX = 254

export function userOperations(house: Needs) {
  const { users, userFields, answerAccount } = house
  const { declared } = userFields

  async function target(key: Pk | null): Promise<User> {
    const user = key === null ? undefined : await users.findByPk(key)
    if (!user) throw problem('not_found')
    return user
  }

  /** Changes the user with this pk, and returns them as they are afterwards. */
  async function changed(
    actor: Actor,
    key: Pk | null,
    work: (changes: Changes, user: User) => Promise<unknown>,
  ) {
    const user = await target(key)
    await work(changesBy(actor, house), user)
    return answerAccount.one((await users.findById(user.id)) ?? user)
  }

  const onUser = (verb: string) =>
    ({
      method: 'POST',
      path: `users/:pk/${verb}/`,
      actsOn: 'user',
      output: answerAccount.schema,
    }) as const

  const details = {
    email: optional(email({ mayBeBlank: true })),
    verified: optional(flag()),
    first_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
    last_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
    is_staff: optional(flag()),
    is_superuser: optional(flag()),
    groups: optional(groups()),
    fields: ownFields(declared),
  }

  return {
    'users.find': operation({
      ...LOOK,
      method: 'GET',
      path: 'users/',
      summary: 'Find and list users',
      actsOn: null,
      csv: true,
      input: {
        q: optional(text({ max: QUERY_MAX, mayBeBlank: true })),
        state: optional(choice(STATES)),
        since: optional(time()),
        sort: optional(choice(SORTS)),
        ...page,
      },
      output: listOf(answerAccount.schema),
      faults: { after: ['invalid_cursor'] },
      async run(_actor, { limit = 50 }) {
        return { results: await answerAccount.all(await users.list(0, limit)), next: null }
      },
    }),

    'users.show': operation({
      ...LOOK,
      method: 'GET',
      path: 'users/:pk/',
      summary: 'Show a user with everything that operators may know',
      actsOn: 'user',
      input: { pk: pk() },
      output: answerAccount.wholeSchema,
      run: async (_actor, input) => answerAccount.whole(await target(input.pk)),
    }),

    'users.create': operation({
      ...CHANGE,
      method: 'POST',
      path: 'users/',
      summary: 'Create a user',
      actsOn: null,
      input: {
        username: username(),
        password: optional(password({ max: PASSWORD_MAX })),
        active: optional(flag()),
        ...details,
      },
      output: answerAccount.schema,
      faults: { username: ['username_taken'], email: ['email_taken'], fields: ['not_unique'] },
      async run(actor, { username, password, ...input }) {
        const user = await changesBy(actor, house).create({
          username,
          password: password ?? null,
          email: input.email ?? '',
          verified: input.verified ?? false,
          active: input.active ?? true,
          names: namesIn(input),
          ...standingIn(input),
          values: input.fields ?? {},
        })
        return answerAccount.one(user)
      },
    }),

    'users.update': operation({
      ...OWN_CHANGE,
      method: 'PATCH',
      path: 'users/:pk/',
      summary: 'Change names, flags, groups, fields or the address of a user',
      actsOn: 'user',
      input: { pk: pk(), username: optional(username()), ...details },
      output: answerAccount.schema,
      faults: { username: ['username_taken'], email: ['email_taken'], fields: ['not_unique'] },
      run: (actor, input) =>
        changed(actor, input.pk, (changes, user) => changes.set(user, changesIn(input))),
    }),

    'users.deactivate': operation({
      ...CHANGE,
      ...onUser('deactivate'),
      summary: 'Log a user out everywhere, and refuse further logins',
      input: { pk: pk() },
      refusals: ['last_superuser'],
      run: (actor, input) => changed(actor, input.pk, (changes, user) => changes.deactivate(user)),
    }),
  }
}

type Given = {
  username?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  is_staff?: boolean | undefined
  is_superuser?: boolean | undefined
  groups?: readonly string[] | undefined
  fields?: AccountChanges['values'] | undefined
}

const namesIn = ({ username, first_name, last_name }: Given) => ({
  ...(username !== undefined && { username }),
  ...(first_name !== undefined && { first_name }),
  ...(last_name !== undefined && { last_name }),
})

const standingIn = ({ is_staff, is_superuser, groups }: Given) => ({
  ...(is_staff !== undefined && { isStaff: is_staff }),
  ...(is_superuser !== undefined && { isSuperuser: is_superuser }),
  ...(groups && { groups: [...new Set(groups)] }),
})

const changesIn = (input: Given): AccountChanges => ({
  names: namesIn(input),
  ...standingIn(input),
  values: input.fields ?? {},
})
