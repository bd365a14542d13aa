import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { change, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

/** Of parallel callers with one digest exactly one is told that it was the first. */
export const spendProof = whether((db, proof: Database['spent_proofs']) =>
  db
    .insertInto('spent_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest'),
)

/** For what turned out to be no proof at all. */
export const forgetProof = change((db, digest: string) =>
  db.deleteFrom('spent_proofs').where('digest', '=', digest),
)

export const forgetExpiredProofs = (handle: Handle, now: number, most: number): Promise<number> =>
  deleteOldest(handle, { table: 'spent_proofs', key: 'digest', time: 'expires_at' }, now, most)
