import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Deliveries } from './deliveries.ts'

const Event = Type.Object({
  type: Type.String({ examples: ['signedIn'] }),
  state: Type.String({ examples: ['queued'] }),
  created_at: Type.String({ format: 'date-time' }),
})

/** Kind and time of the events that other programs are still to be told. */
export const deliveriesEntry = ({ ofUser }: Deliveries): DossierEntry => ({
  name: 'events',
  schema: Type.Array(Event),
  async read({ id }, most) {
    const rows = await ofUser(id, most)
    return rows.map(({ kind, state, created_at }) => ({
      type: kind,
      state,
      created_at: isoTime(created_at),
    }))
  },
})
