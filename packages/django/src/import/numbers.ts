import { ID_MAX } from '../../../server/src/kernel/ids.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import { lastIdOf, reserveIds } from '../../../server/src/storage/reserve-ids.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import type { DjangoSource } from '../source/source.ts'
import type { UserModel } from '../source/user-model.ts'
import { findUserWithoutOrigin } from './import-queries.ts'

type Project = { readonly source: DjangoSource; readonly model: UserModel }

/*
 * While both services run, both give ids to new users, and no id may be given twice. So Latchkey
 * starts far above the ids of the project. But SQLite continues after the largest id in a table, so
 * after an export the project would continue above the ids of Latchkey. Before users are written
 * back to SQLite, Latchkey therefore moves farther up, in small steps: exports may come every hour.
 */

/** More ids than a project uses while both run. */
const GAP = 100_000_000

/** Above a large id there is less room. */
const gapAfter = (id: number, gap: number): number => Math.min(gap, Math.floor((ID_MAX - id) / 10))

/** More ids than a project on SQLite uses between two imports. */
const STEP = 10_000

/** Room for users who register at this moment. */
const UNDER_WAY = 1000

/** An export that would use up the ids. */
export class NoIdsLeft extends Error {}

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
    // After an export to SQLite, the project is in the range of Latchkey. Another hundred million
    // with every import would use up the ids.
    const isClose = given > GAP && (await lastIdOf(tx, here)) >= given + STEP / 2
    const gap = gapAfter(given, isClose ? STEP : GAP)
    await reserveIds(tx, here, Math.max(given + gap, present))
  }
}

/**
 * For an export: on SQLite, both sides continue above their present ids. Returns the largest id that
 * may be written back. Larger ones are in the new range of Latchkey, which the project must not reach.
 */
export async function partFrom({ source, model }: Project, db: Db): Promise<number> {
  // A sequence of PostgreSQL does not follow ids that are written.
  if (!hasNumbers(model) || !source.isSqlite) return ID_MAX
  const { given } = await source.numbersOf(model.table, model.key, ID_MAX)
  // A smaller id moves nothing there. A user whom the project refused before has one.
  if (!(await findUserWithoutOrigin(db, given))) return given
  const last = await transaction(db, async (tx) => {
    const last = (await lastIdOf(tx, 'users')) + UNDER_WAY
    if (last + STEP > ID_MAX) throw new NoIdsLeft(NO_IDS_LEFT)
    await reserveIds(tx, 'users', last + STEP)
    return last
  })
  await source.giveOutAbove(model.table, last)
  return last
}

const NO_IDS_LEFT = `An export to SQLite needs free ids for users, and there are too few below ${ID_MAX}. Move the project to PostgreSQL, where an export needs none.`

const hasNumbers = ({ columns, key }: UserModel): boolean =>
  columns.some(({ name, type }) => name === key && /int/.test(type))
