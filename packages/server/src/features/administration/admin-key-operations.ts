import * as Type from '@sinclair/typebox'
import { SCOPES } from '../../core/identity.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { optional, scopesOf, text } from '../../http/fields.ts'
import { moment } from '../../http/user-field.ts'
import { DAY, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { KEY_NAME_MAX } from '../../kernel/lengths.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import { NO_USER } from '../audit/audit.ts'
import type { AdminKey } from '../operators/admin-keys.ts'
import { id } from './fields-of-operations.ts'
import { listOf, operation } from './operation.ts'
import type { Actor, Permits } from './rules.ts'

const shown = {
  id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['billing'] }),
  scopes: Type.Array(Type.String(), { examples: [['read']] }),
  created_by: Type.String({
    description: 'A user with their pk, or the name that a command or the host gives',
    examples: ['user 1'],
  }),
  created_at: Time,
  expires_at: orNull(Time),
  last_used_at: orNull(Time),
}
const Key = Type.Object(shown, { $id: 'AdminKey' })
const NewKey = Type.Object(
  { ...shown, key: Type.String({ examples: ['lkadmin_…'] }) },
  { $id: 'NewAdminKey' },
)

const answer = (key: AdminKey) => ({
  id: key.id,
  name: key.name,
  scopes: [...key.scopes],
  created_by: key.created_by,
  created_at: isoTime(key.created_at),
  expires_at: isoTimeOrNull(key.expires_at),
  last_used_at: isoTimeOrNull(key.last_used_at),
})

/** A key outlives the account of its maker, so it does not keep their name. */
const makerOf = ({ kind, name, pk }: Actor): string => (kind === 'person' ? `user ${pk}` : name)

function timeOf(expires: string): number {
  const result = moment().read(expires)
  return 'value' in result ? result.value : Number.NaN
}

const EXPIRES_MAX = 40
const DAYS_MAX = 36_500
const RULE = { scope: null, needs: 'superuser' } as const

/** The keys of programs. No key makes a key. */
export function adminKeyOperations(house: UpToAccount) {
  const { db, adminKeys, clock } = house

  /** `90d`, or a date or time. */
  function endOf(expires: string): number {
    const [, days] = /^(\d{1,5})d$/.exec(expires) ?? []
    return days ? clock.now() + Number(days) * DAY : timeOf(expires)
  }

  /** Keys end in the future. */
  function faultsOf(expires: string): Fault[] {
    const [end, now] = [endOf(expires), clock.now()]
    if (end <= now) return [fault('expires_in_the_past')]
    return end <= now + DAYS_MAX * DAY ? [] : [fault('invalid_datetime')]
  }

  const note = ({ record }: Permits, event: string, key: AdminKey, tx: Tx) => {
    const details = { key: key.id, name: key.name, scopes: key.scopes.join(' ') }
    return record(NO_USER, event, tx, details)
  }

  return {
    'adminKeys.list': operation({
      ...RULE,
      method: 'GET',
      path: 'admin-keys/',
      summary: 'The keys of programs that use this API, without their secrets',
      changes: false,
      input: {},
      output: listOf(Key),
      run: async () => ({ results: (await adminKeys.list()).map(answer), next: null }),
    }),

    'adminKeys.create': operation({
      ...RULE,
      method: 'POST',
      path: 'admin-keys/',
      summary: 'Make a key for a program; it is shown this once',
      changes: true,
      input: {
        name: text({ max: KEY_NAME_MAX }),
        scopes: scopesOf(SCOPES),
        expires: optional(text({ max: EXPIRES_MAX, mayBeBlank: true, check: faultsOf })),
      },
      output: NewKey,
      faults: { expires: ['invalid_datetime', 'expires_in_the_past'] },
      async run(permits, { name, scopes, expires }) {
        const expiresAt = expires ? endOf(expires) : null
        const given = { name, scopes, expiresAt, createdBy: makerOf(permits.actor) }
        return transaction(db, async (tx) => {
          // The flag may have been taken away since the request began.
          await permits.permit({ user: null }, tx)
          const { key, secret } = await adminKeys.add(given, tx)
          await note(permits, 'admin_key_created', key, tx)
          return { ...answer(key), key: secret }
        })
      },
    }),

    'adminKeys.revoke': operation({
      ...RULE,
      method: 'DELETE',
      path: 'admin-keys/:id/',
      summary: 'Revoke a key; the next request with it is refused',
      changes: true,
      input: { id: id() },
      output: null,
      run: (permits, { id }) =>
        transaction(db, async (tx) => {
          await permits.permit({ user: null }, tx)
          const key = await adminKeys.revoke(id, tx)
          if (!key) throw problem('not_found')
          await note(permits, 'admin_key_revoked', key, tx)
        }),
    }),
  }
}
