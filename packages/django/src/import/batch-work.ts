import type { Tx } from '../../../server/src/storage/handle.ts'
import type { Counts } from './counts.ts'
import type { Findings } from './findings.ts'

/** The transaction of a batch, and where it notes what it did. */
export type BatchWork = { readonly counts: Counts; readonly findings: Findings; readonly tx: Tx }
