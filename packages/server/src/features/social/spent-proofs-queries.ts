import { change, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

/** Of parallel calls with one digest exactly one gets true. */
export const spendProof = whether((db, proof: Database['spent_proofs']) =>
  db
    .insertInto('spent_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest'),
)

/** Removes a value that turned out to be no proof. */
export const forgetProof = change((db, digest: string) =>
  db.deleteFrom('spent_proofs').where('digest', '=', digest),
)
