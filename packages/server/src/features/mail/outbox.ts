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

type Needs = {
  /** Told when mails wait to be sent. */
  onMail(): void
  sealedBox: SealedBox
  /** On notices to one address, whoever it belongs to. */
  noticeLimits: MailLimits
  clock: Clock
  count(outcome: 'queued'): void
}

/**
 * A mail is a row, written in the transaction that caused it: the answer never waits for a mail
 * server, and a crash loses nothing. The row is sealed, since the links in it are live secrets.
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
     * As much work as posting a letter, and as many writes, yet nothing is sent: for requests
     * that must not tell by their time whether there is somebody to write to. Such a row is of
     * no use to anybody, so that it is due for the next sweep.
     */
    pretend: (letter: Letter, within: Handle): Promise<void> =>
      addMail(within, { ...sealed(letter), sealed_letter: '', state: 'sent', due_at: 0 }),

    /**
     * To the user's own address, if there is one, and silently not when that is too often: who
     * holds a stolen credential must not drown the mail that matters. Until the user has proved
     * that the address is theirs it may be a stranger's, who reads no word that the user chose.
     */
    async notify(user: User, template: LetterName, within: Handle) {
      const { email, email_verified: isProved } = user
      if (email === '') return
      if (!(await noticeLimits.mayMail(email, within))) return
      const username = isProved ? user.username : ''
      await post({ to: email, template, values: { username } }, within)
    },

    /** Null when it was sealed by a key that we no longer have. */
    open({ id, sealed_letter }: { id: string; sealed_letter: string }): Letter | null {
      const text = sealedBox.open(sealed_letter, letterOwner(id))
      return text === null ? null : JSON.parse(text)
    },
  }
}

export const letterOwner = (id: string): string => `mail:${id}`
