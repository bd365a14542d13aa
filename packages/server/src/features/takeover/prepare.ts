import { ID_MAX } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/handle.ts'
import { reserveIds } from '../../storage/reserve-ids.ts'
import type { TakeoverOrder } from './takeover-order.ts'
import { dropFindingsOfKind } from './takeover-queries.ts'

/** New users here get ids that the source will not give out for as long as both are running. */
const GAP = 1_000_000

/** What both sides have changed is found anew by each import. */
export async function prepare({ source, model, isDry }: TakeoverOrder, tx: Tx): Promise<void> {
  await dropFindingsOfKind(tx, 'kept')
  // PostgreSQL would not take it back.
  if (isDry) return
  const tables = [
    ...(model.kind === 'integer' ? [['users', model.table, model.key] as const] : []),
    ['passkeys', 'mfa_authenticator', 'id'] as const,
    ['social_accounts', 'socialaccount_socialaccount', 'id'] as const,
  ]
  for (const [here, there, key] of tables) {
    if ((await source.columnsOf(there)).length === 0) continue
    const highest = await source.highestId(there, key, ID_MAX)
    if (highest > 0) await reserveIds(tx, here, Math.min(highest + GAP, ID_MAX - 1))
  }
}
