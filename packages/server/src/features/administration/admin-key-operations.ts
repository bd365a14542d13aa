import * as Type from '@sinclair/typebox'
import { SCOPES } from '../../core/admin-caller.ts'
import { optional, text } from '../../http/fields.ts'
import { orNull } from '../../http/or-null.ts'
import { scopesOf } from '../../http/scopes-field.ts'
import { time } from '../../http/user-field.ts'
import { DAY, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { readId } from '../../kernel/ids.ts'
import { fault, fieldProblem, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import { NO_USER } from '../audit/audit.ts'
import type { AdminKey } from '../operators/admin-keys.ts'
import { type Actor, operatorOf } from './actor.ts'
import { operation } from './operation.ts'
import { listOf } from './pages-of-operations.ts'

const Time = Type.String({ format: 'date-time', examples: ['2030-01-01T12:00:00.000Z'] })

const shown = {
  id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['billing'] }),
  scopes: Type.Array(Type.String(), { examples: [['read']] }),
  created_by: Type.String({ examples: ['grace'] }),
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
  created_by: key.createdBy,
  created_at: isoTime(key.createdAt),
  expires_at: isoTimeOrNull(key.expiresAt),
  last_used_at: isoTimeOrNull(key.lastUsedAt),
})

/** A date begins at midnight in UTC. */
function timeOf(expires: string): number {
  const result = time().read(expires.replace(/^(\d{4}-\d{2}-\d{2})$/, '$1T00:00Z'))
  return 'value' in result ? result.value : Number.NaN
}

const NAME_MAX = 100
const EXPIRES_MAX = 40
const DAYS_MAX = 36_500
const RULE = { scope: null, needs: 'superuser', actsOn: null } as const

/** The keys of programs. No key makes a key. */
export function adminKeyOperations(house: UpToAccount) {
  const { db, adminKeys, audit, users, clock } = house

  /** `90d`, or a date or time that is still to come. */
  function endOf(expires: string | undefined): number | null {
    if (expires === undefined || expires === '') return null
    const [, days] = /^(\d{1,5})d$/.exec(expires) ?? []
    const end = days ? clock.now() + Number(days) * DAY : timeOf(expires)
    const isGood = end > clock.now() && end <= clock.now() + DAYS_MAX * DAY
    if (!isGood) throw fieldProblem({ expires: [fault('invalid_datetime')] })
    return end
  }

  /** The flag may have been taken away since the request began. */
  async function stillMay(actor: Actor, tx: Tx): Promise<void> {
    if (actor.id === undefined) return
    const person = await users.lock(actor.id, tx)
    if (!person?.is_active || !person.is_superuser) throw problem('not_allowed')
  }

  const record = (actor: Actor, event: string, key: AdminKey, tx: Tx) => {
    const details = { key: key.id, name: key.name, scopes: key.scopes.join(' ') }
    return audit.record({ userId: NO_USER, event, details, operator: operatorOf(actor) }, tx)
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
        name: text({ max: NAME_MAX }),
        scopes: scopesOf(SCOPES),
        expires: optional(text({ max: EXPIRES_MAX, mayBeBlank: true })),
      },
      output: NewKey,
      faults: { expires: ['invalid_datetime'] },
      async run(actor, { name, scopes, expires }) {
        const expiresAt = endOf(expires)
        const given = { name, scopes, expiresAt, createdBy: actor.name }
        return transaction(db, async (tx) => {
          await stillMay(actor, tx)
          const { key, secret } = await adminKeys.add(given, tx)
          await record(actor, 'admin_key_created', key, tx)
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
      input: { id: text({ max: 20 }) },
      output: null,
      run: (actor, { id }) =>
        transaction(db, async (tx) => {
          await stillMay(actor, tx)
          const number = readId(id)
          const key = number === null ? null : await adminKeys.revoke(number, tx)
          if (!key) throw problem('not_found')
          await record(actor, 'admin_key_revoked', key, tx)
        }),
    }),
  }
}
