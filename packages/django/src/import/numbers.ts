import { ID_MAX } from '../../../server/src/kernel/ids.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import { lastIdOf, reserveIds } from '../../../server/src/storage/reserve-ids.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import type { DjangoSource } from '../source/source.ts'
import type { UserModel } from '../source/user-model.ts'

type Project = { readonly source: DjangoSource; readonly model: UserModel }

/*
 * While both services run, both give ids to new users, and no id may be given twice. So Latchkey
 * starts far above the ids of the project. But SQLite continues after the largest id in a table, so
 * after an export the project would continue above the ids of Latchkey. Before users are written
 * back, Latchkey therefore moves farther up.
 */

/** More ids than a project uses while both run. */
const GAP = 100_000_000

/** Above a large id there is less room. */
const gapAfter = (id: number): number => Math.min(GAP, Math.floor((ID_MAX - id) / 10))

/** Room for users who register at this moment. */
const UNDER_WAY = 1000

/** For an import: new rows here get ids that the project will not give out. */
export async function keepApart({ source, model }: Project, tx: Tx): Promise<void> {
  const tables = [
    ...(hasNumbers(model) ? [['users', model.table, model.key] as const] : []),
    ['passkeys', 'mfa_authenticator', 'id'] as const,
    ['social_accounts', 'socialaccount_socialaccount', 'id'] as const,
  ]
  for (const [here, there, key] of tables) {
    if ((await source.columnsOf(there)).length === 0) continue
    const { given, present } = await source.numbersOf(there, key, ID_MAX)
    await reserveIds(tx, here, Math.max(given + gapAfter(given), present))
  }
}

/**
 * For an export: both sides continue above their present ids. Returns the largest id that may be
 * written back. Larger ones are in the new range of Latchkey, which the project must not reach.
 */
export async function partFrom({ source, model }: Project, db: Db): Promise<number> {
  if (!hasNumbers(model)) return Number.POSITIVE_INFINITY
  const last = await transaction(db, async (tx) => {
    const last = (await lastIdOf(tx, 'users')) + UNDER_WAY
    await reserveIds(tx, 'users', last + gapAfter(last))
    return last
  })
  await source.giveOutAbove(model.table, last)
  return last
}

const hasNumbers = ({ columns, key }: UserModel): boolean =>
  columns.some(({ name, type }) => name === key && /int/.test(type))
