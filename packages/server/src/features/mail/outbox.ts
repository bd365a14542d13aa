import type { LetterName } from '../../kernel/letter-names.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import type { NoticeLimits } from '../limits/limits.ts'
import { addMail, type OutboxRow } from './outbox-queries.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** A letter to a user. Its words are in `kernel/words/letters.ts`. */
export type Letter = {
  to: string
  template: LetterName
  /** The names, links and codes in the text. */
  values: Record<string, string>
  /** Only if the account is deleted. Otherwise the language is in the row of the user. */
  language?: string
}

/** A waiting letter is deleted with the account that it is about. */
type LetterOf = Letter & { userId: number | null }

/** `more` holds the values of the letter besides the name of the user. */
type Notify = (
  user: User,
  template: LetterName,
  within: Handle,
  more?: Readonly<Record<string, string>>,
) => Promise<void>

type Needs = Pick<Context, 'sealedBox' | 'clock' | 'metrics'> & {
  /** Called when mails wait to be sent. */
  onMail(): void
  noticeLimits: NoticeLimits
  /** Separate, so that other notices cannot suppress the last letter. */
  farewellLimits: NoticeLimits
}

/**
 * The transaction that causes a mail also writes its row. So no answer waits for a mail server, and a
 * crash loses no mail. The row is sealed, since its links are secrets.
 */
export function createOutbox(needs: Needs) {
  const { onMail, sealedBox, noticeLimits, farewellLimits, clock, metrics } = needs

  async function post({ userId, ...letter }: LetterOf, within: Handle): Promise<void> {
    await addMail(within, { ...sealed(letter), user_id: userId, state: 'queued' })
    afterCommit(within, onMail)
    afterCommit(within, () => metrics.countMail('queued'))
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

  /** Sends a notice, if the user has an address. */
  const notifyAlways: Notify = async (user, template, within, more = {}) => {
    if (user.email === '') return
    const { values, ...letter } = notice(user, template)
    await post({ ...letter, values: { ...more, ...values }, userId: user.id }, within)
  }

  /**
   * Sends a notice, if the user has an address. Drops notices beyond the limit: a thief of a
   * credential must not hide the important one among many others.
   */
  const notify: Notify = async (user, template, within, more) => {
    if (user.email === '' || !(await noticeLimits.mayNotify(user, within))) return
    await notifyAlways(user, template, within, more)
  }

  return {
    post,
    notify,
    notifyAlways,

    /**
     * Does the same work as posting a letter, but sends nothing, so that the time does not tell
     * whether a user has the address. The next sweep deletes the row.
     */
    async pretend(letter: Letter, within: Handle): Promise<void> {
      const pretended = { user_id: null, sealed_letter: '', state: 'sent', due_at: 0 } as const
      await addMail(within, { ...sealed(letter), ...pretended })
    },

    /** Sends the last letter, in the transaction that deletes the account. */
    async sayFarewell(user: User, tx: Tx): Promise<void> {
      if (user.email === '' || !(await farewellLimits.mayNotify(user, tx))) return
      const { language } = user
      const letter = { ...notice(user, 'account-deleted'), ...(language && { language }) }
      await post({ ...letter, userId: null }, tx)
    },

    /** Returns null if it was sealed with a key that is gone. */
    open({ id, sealed_letter }: OutboxRow): Letter | null {
      const text = sealedBox.open(sealed_letter, letterOwner(id))
      return text === null ? null : JSON.parse(text)
    },

    /** The letter, sealed with the current key if it can be. */
    resealed: ({ id, sealed_letter }: OutboxRow): string =>
      sealedBox.resealed(sealed_letter, letterOwner(id)),
  }
}

/** An unproved address may be a stranger's, so the letter must contain nothing that the user chose. */
const notice = ({ email, email_verified, username }: User, template: LetterName): Letter => ({
  to: email,
  template,
  values: { username: email_verified ? username : '' },
})

export const letterOwner = (id: string): string => `mail:${id}`
