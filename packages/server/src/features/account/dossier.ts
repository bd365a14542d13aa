import type { TObject } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { Time } from '../../core/schemas.ts'
import { isoTime } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { causedBy, type Operator } from '../audit/audit.ts'
import type { UpToSocial } from '../social/feature.ts'

export type Dossier = ReturnType<typeof createDossier>

/** Far more than a person has of anything. Without a bound, an answer could be of any size. */
const MOST = 1000

/** Everything that the service stores about a user. Each feature contributes its entries. */
export function createDossier({ db, users, audit, clock, metrics, everyFeature }: UpToSocial) {
  const entries = everyFeature.dossier()

  return {
    schema: schemaOf(entries),

    /** Leaves an event: an export is what a thief of a credential wants. Null stands for the user. */
    async of(user: User, operator: Operator | null): Promise<Record<string, unknown>> {
      const parts: Record<string, unknown> = {}
      const cut: string[] = []
      for (const { name, read } of entries) {
        const part = await read(user, MOST + 1)
        const isTooLong = Array.isArray(part) && part.length > MOST
        parts[name] = isTooLong ? part.slice(0, MOST) : part
        if (isTooLong) cut.push(name)
      }
      await transaction(db, async (tx) => {
        // An account that is being deleted must leave nothing, and some of its parts are gone already.
        const current = await users.lock(user.id, tx)
        if (!current) throw problem(operator ? 'not_found' : 'not_authenticated')
        const event = 'account_exported'
        await audit.record({ userId: user.id, event, ...causedBy(operator) }, tx)
      })
      metrics.countExport()
      return { exported_at: isoTime(clock.now()), cut, ...parts }
    },
  }
}

function schemaOf(entries: readonly DossierEntry[]): TObject {
  const parts = Object.fromEntries(entries.map(({ name, schema }) => [name, schema]))
  const about = {
    exported_at: Time,
    cut: Type.Array(Type.String(), {
      description: `Lists of which only the newest ${MOST} entries are shown`,
      examples: [[]],
    }),
  }
  return Type.Object({ ...about, ...parts }, { $id: 'AccountExport' })
}
