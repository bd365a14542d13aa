import { ID_MAX } from '../../../server/src/kernel/ids.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import { lastIdOf, reserveIds } from '../../../server/src/storage/reserve-ids.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import type { DjangoSource } from '../source/source.ts'
import type { UserModel } from '../source/user-model.ts'

type Project = { readonly source: DjangoSource; readonly model: UserModel }

/*
 * Both sides give out numbers while both run, and no number twice. Latchkey takes its own far above
 * those of the project. SQLite goes on after the largest number of a table, though, and so behind
 * a user who was written back. Before that, Latchkey takes its numbers from farther above.
 */

/** Farther than a project comes while both run. */
const GAP = 100_000_000

/** Of a large number only so much room is left. */
const gapAfter = (id: number): number => Math.min(GAP, Math.floor((ID_MAX - id) / 10))

/** Numbers that registrations may be getting at this moment. */
const UNDER_WAY = 1000

/** At an import: new rows here get ids that the project will not give out. */
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
 * Before users are written back. Returns the largest id that may be: later ones are of the next
 * numbers, behind which the project must not go on.
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
