import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Delivery } from './delivery.ts'

const Mail = Type.Object({
  kind: Type.Union([Type.String(), Type.Null()], { examples: ['verify-email'] }),
  state: Type.String({ examples: ['queued'] }),
  created_at: Type.String({ format: 'date-time' }),
})

/**
 * Kind and time of the mails to the user that are not sent. Their links are secrets. A letter to
 * another address is not theirs: it would tell whether somebody has that address.
 */
export const mailsEntry = ({ undeliveredOf }: Delivery): DossierEntry => ({
  name: 'mails',
  schema: Type.Array(Mail),
  async read({ id, email }, most) {
    const mails = (await undeliveredOf(id, most)).filter(({ to }) => to === email)
    return mails.map(({ template, state, postedAt }) => ({
      kind: template,
      state,
      created_at: isoTime(postedAt),
    }))
  },
})
