import type { Tx } from '../../../server/src/storage/handle.ts'
import type { SourceLoss } from '../map/part.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { dropFindings, dropFindingsOfUser, type Finding, putFindings } from './import-queries.ts'

export type Findings = ReturnType<typeof createFindings>

const BOTH = 'it has changed there and here; the change here was kept'

/** Records what the operator has to know, in the transaction that finds it. */
export function createFindings(tx: Tx) {
  const put = (findings: readonly Finding[]): Promise<void> => putFindings(tx, findings)

  return {
    lost: (part: string, losses: readonly SourceLoss[]): Promise<void> =>
      put(
        losses.map(({ source: { key, pk }, what, why }) => ({
          source_key: key,
          pk: String(pk),
          part,
          what,
          why,
          kind: 'lost' as const,
        })),
      ),

    kept: (part: string, { key, pk }: Pick<DjangoUser, 'key' | 'pk'>, why = BOTH): Promise<void> =>
      put([{ source_key: key, pk: String(pk), part, what: part, why, kind: 'kept' }]),

    forget: async (sourceKeys: readonly string[], part: string): Promise<void> => {
      if (sourceKeys.length > 0) await dropFindings(tx, sourceKeys, part)
    },

    forgetAll: (sourceKey: string) => dropFindingsOfUser(tx, sourceKey),
  }
}
