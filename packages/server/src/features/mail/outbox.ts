import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Handle } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Letter, LetterName } from './letter.ts'
import { addMail } from './outbox-queries.ts'

export type Outbox = ReturnType<typeof createOutbox>

type SealedLetter = { id: string; sealed_letter: string }

type Needs = {
  /** Called when mails wait to be sent. */
  onMail(): void
  sealedBox: SealedBox
  /** Limits notices to one address, whoever it belongs to. */
  noticeLimits: MailLimits
  clock: Clock
  count(outcome: 'queued'): void
}

/**
 * A mail is a row that is written in the transaction that caused it. So an answer never waits for a
 * mail server, and a crash loses no mail. The row is sealed, since its links are secrets.
 */
export function createOutbox({ onMail, sealedBox, noticeLimits, clock, count }: Needs) {
  async function post(letter: Letter, within: Handle): Promise<void> {
    await addMail(within, { ...sealed(letter), state: 'queued' })
    afterCommit(within, onMail)
    afterCommit(within, () => count('queued'))
  }

  function sealed(letter: Letter) {
    const id = randomHex(16)
    const now = clock.now()
    return {
      id,
      sealed_letter: sealedBox.seal(JSON.stringify(letter), letterOwner(id)),
      attempts: 0,
      due_at: now,
      created_at: now,
    }
  }

  return {
    post,

    /**
     * Does the same work and writes as posting a letter, but sends nothing. For requests whose time
     * must not tell whether somebody has the address. The row is deleted by the next sweep.
     */
    pretend: (letter: Letter, within: Handle): Promise<void> =>
      addMail(within, { ...sealed(letter), sealed_letter: '', state: 'sent', due_at: 0 }),

    /**
     * Sends a notice to the user's address, if there is one. Too many notices are dropped silently:
     * a thief of a credential must not hide the important mail among many others. An unproved
     * address may belong to a stranger, so the notice then contains no word that the user chose.
     */
    async notify(
      user: User,
      template: LetterName,
      within: Handle,
      more: Readonly<Record<string, string>> = {},
    ) {
      const { email, email_verified: isProved } = user
      if (email === '') return
      if (!(await noticeLimits.mayMail(email, within))) return
      const username = isProved ? user.username : ''
      await post({ to: email, template, values: { ...more, username } }, within)
    },

    /** Null if it was sealed with a key that is gone. */
    open({ id, sealed_letter }: SealedLetter): Letter | null {
      const text = sealedBox.open(sealed_letter, letterOwner(id))
      return text === null ? null : JSON.parse(text)
    },

    /** Sealed with the current key; unchanged if it is already, or if its key is gone. */
    sealedAnew({ id, sealed_letter }: SealedLetter): string {
      if (sealed_letter.startsWith(sealedBox.prefix)) return sealed_letter
      const text = sealedBox.open(sealed_letter, letterOwner(id))
      return text === null ? sealed_letter : sealedBox.seal(text, letterOwner(id))
    },
  }
}

export const letterOwner = (id: string): string => `mail:${id}`
