import type { Host } from '../../core/host/host.ts'
import { impersonationIn } from '../../core/identity.ts'
import type { Languages } from '../../core/languages.ts'
import { type Endpoint, endpoint, type Method } from '../../http/endpoint.ts'
import { type Field, type Fields, language, optional, text, username } from '../../http/fields.ts'
import { userField } from '../../http/user-field.ts'
import { NAME_MAX } from '../../kernel/lengths.ts'
import { type Fault, type FaultCode, Problem, throttled } from '../../kernel/problems.ts'
import { editableFields } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import { impersonator } from '../audit/audit.ts'
import type { UpToMail } from '../mail/feature.ts'
import { userDetails } from './answer-user.ts'
import type { ProfileChanges } from './profile-changes.ts'
import { possibleUsernameFaults } from './usernames.ts'

const NAMES: Readonly<Record<string, Field<unknown>>> = {
  username: optional(username()),
  first_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
  last_name: optional(text({ max: NAME_MAX, mayBeBlank: true })),
}

export function userEndpoints({
  profiles,
  host,
  settings,
  languages,
}: UpToMail & { profiles: ProfileChanges }): Endpoint[] {
  const details = userDetails(settings)
  const { body, faults, bySource, byName } = editing(settings, host, languages)
  const common = {
    path: 'user/',
    access: 'signed-in',
    restricted: ['impersonation'],
    freshness: 'not-needed',
    throttle: 'none',
  } as const
  const replies = { 200: details.schema }

  const show = endpoint({
    ...common,
    restricted: ['impersonation', 'user:read', 'mfa_setup'],
    method: 'GET',
    operationId: 'getUser',
    summary: 'Get the user who is logged in',
    replies,
    handle: async ({ identity }) => details.forCaller(identity, identity.user),
  })

  const update = (method: Method, operationId: string) =>
    endpoint({
      ...common,
      method,
      operationId,
      summary: 'Change fields of the user; fields that are not sent stay the same',
      body,
      check: async ({ identity, body, address }) =>
        byName(await profiles.check(identity.user, bySource(body), address)),
      faults,
      replies,
      refusals: [() => throttled(54)],
      async handle({ identity, body, address }) {
        const impersonation = impersonationIn(identity)
        const operator = impersonation ? impersonator(impersonation, address) : null
        const change = profiles.change(identity, bySource(body), operator)
        return details.forCaller(identity, await underTheirNames(change))
      },
    })

  /** A value that was free at the check may be taken at the change. The fault is the same. */
  async function underTheirNames<T>(change: Promise<T>): Promise<T> {
    try {
      return await change
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      throw new Problem(error.status, byName(error.body), error.message)
    }
  }

  return [show, update('PUT', 'replaceUser'), update('PATCH', 'updateUser')]
}

/** The fields of a change, under the names that they have on the wire. */
function editing(
  { REST_AUTH, USER_FIELDS: userFields }: Settings,
  host: Host,
  { offered }: Languages,
) {
  const builtIn = { ...NAMES, language: optional(language(offered)) }
  const named = editableFields({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields })
  const body: Fields = {}
  const faults: Record<string, readonly (FaultCode | Fault)[]> = {}
  for (const { name, source } of named) {
    const declared = Object.hasOwn(userFields, source) ? userFields[source] : undefined
    const field = declared
      ? userField(declared, { optional: true })
      : builtIn[source as keyof typeof builtIn]
    if (field) body[name] = field
    if (source === 'username') faults[name] = possibleUsernameFaults(host)
    if (declared?.unique) faults[name] = ['not_unique']
  }
  const rename = <T>(from: 'name' | 'source', to: 'name' | 'source', object: Record<string, T>) =>
    Object.fromEntries(
      named.flatMap((field): [string, T][] => {
        const value = Object.hasOwn(object, field[from]) ? object[field[from]] : undefined
        return value === undefined ? [] : [[field[to], value]]
      }),
    )
  return {
    body,
    faults,
    bySource: (values: Record<string, unknown>) => rename('name', 'source', values),
    byName: <T>(values: Record<string, T>) => rename('source', 'name', values),
  }
}
