import type { Tx } from '../../../server/src/storage/handle.ts'
import { keepApart } from './numbers.ts'
import type { TakeoverOrder } from './takeover-order.ts'
import { dropFindingsOfKind } from './takeover-queries.ts'

/** What both sides have changed is found anew by each import. */
export async function prepare(order: TakeoverOrder, tx: Tx): Promise<void> {
  await dropFindingsOfKind(tx, 'kept')
  // PostgreSQL would not take it back.
  if (!order.isDry) await keepApart(order, tx)
}
