import { randomHex } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Letter, LetterName, LetterOf } from './letter.ts'
import { addMail, forgetMailsOfUser } from './outbox-queries.ts'

export type Outbox = ReturnType<typeof createOutbox>

type SealedLetter = { id: string; sealed_letter: string }

type Needs = Pick<Context, 'sealedBox' | 'clock'> & {
  /** Called when mails wait to be sent. */
  onMail(): void
  /** Limits notices to one address, whoever it belongs to. */
  noticeLimits: MailLimits
  /** Of their own: other notices must not use up the one that says that an account is gone. */
  farewellLimits: MailLimits
  count(outcome: 'queued'): void
}

/**
 * A mail is a row that is written in the transaction that caused it. So an answer never waits for a
 * mail server, and a crash loses no mail. The row is sealed, since its links are secrets.
 */
export function createOutbox(needs: Needs) {
  const { onMail, sealedBox, noticeLimits, farewellLimits, clock, count } = needs

  async function post({ userId, ...letter }: LetterOf, within: Handle): Promise<void> {
    await addMail(within, { ...sealed(letter), user_id: userId, state: 'queued' })
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
    async pretend(letter: Letter, within: Handle): Promise<void> {
      const pretended = { user_id: null, sealed_letter: '', state: 'sent', due_at: 0 } as const
      await addMail(within, { ...sealed(letter), ...pretended })
    },

    /**
     * Sends a notice to the user's address, if there is one. Too many notices are dropped silently:
     * a thief of a credential must not hide the important mail among many others.
     */
    async notify(
      user: User,
      template: LetterName,
      within: Handle,
      more: Readonly<Record<string, string>> = {},
    ): Promise<void> {
      if (user.email === '' || !(await noticeLimits.mayMail(user.email, within))) return
      const { values, ...letter } = notice(user, template)
      await post({ ...letter, values: { ...more, ...values }, userId: user.id }, within)
    },

    /** The last letter to a user whose account is deleted in this transaction. */
    async sayFarewell(user: User, tx: Tx): Promise<void> {
      if (user.email === '' || !(await farewellLimits.mayMail(user.email, tx))) return
      await post({ ...notice(user, 'account-deleted'), userId: null }, tx)
    },

    forgetUser: (userId: number, tx: Tx) => forgetMailsOfUser(tx, userId),

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

/** An unproved address may belong to a stranger. Then no word that the user chose is in the letter. */
const notice = ({ email, email_verified, username }: User, template: LetterName): Letter => ({
  to: email,
  template,
  values: { username: email_verified ? username : '' },
})

export const letterOwner = (id: string): string => `mail:${id}`
