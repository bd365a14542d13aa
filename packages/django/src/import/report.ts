import type { Handle } from '../../../server/src/storage/handle.ts'
import { countFindings, type Finding, listFindings } from './import-queries.ts'
import type { State } from './state.ts'

/** What an import has done, and what the operator has to know. */
export type Report = {
  readonly counts: Readonly<Record<string, number>>
  readonly lost: number
  readonly kept: number
  readonly findings: readonly Pick<Finding, 'kind' | 'pk' | 'what' | 'why'>[]
  /** It continued an interrupted import. */
  readonly isResumed: boolean
  /** False if it was interrupted. */
  readonly isDone: boolean
}

/** Further findings are only counted. */
const LISTED = 10_000

export async function reportOf(
  handle: Handle,
  { state, isResumed, isDone }: { state: State; isResumed: boolean; isDone: boolean },
): Promise<Report> {
  const counted = new Map((await countFindings(handle)).map(({ kind, count }) => [kind, count]))
  const findings = await listFindings(handle, LISTED)
  return {
    counts: state.counts,
    lost: Number(counted.get('lost') ?? 0),
    kept: Number(counted.get('kept') ?? 0),
    findings: findings.map(({ kind, pk, what, why }) => ({ kind, pk, what, why })),
    isResumed,
    isDone,
  }
}
