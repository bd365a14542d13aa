import { type Problem, problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import { isOfDeletedUser } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { accountNamed, accountOf } from '../limits/limits.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Users } from '../users/users.ts'
import { NOBODY, type OpenCodes } from './open-codes.ts'
import type { ShortCodes } from './short-codes.ts'

export type SendCode = ReturnType<typeof createSendCode>

type Needs = {
  db: Db
  users: Users
  outbox: Outbox
  openCodes: OpenCodes
  shortCodes: ShortCodes
  /** Long codes have a count of their own: whoever guesses has used up that of the short ones. */
  mailLimits(digits: number): MailLimits
  settings: Pick<Settings, 'ACCOUNT'>
}

/** Mails a code to log in with, and returns the session that it is good for. */
export function createSendCode(needs: Needs) {
  const { db, users, outbox, openCodes, shortCodes, mailLimits, settings } = needs
  const { LOGIN_METHODS } = settings.ACCOUNT

  /**
   * Does the same work and gives the same answer for every name: known or not, active or not. Too
   * many mails to one address are dropped silently. Then the codes of the earlier mails are good.
   */
  return async (given: { username: string; email: string }): Promise<string> => {
    const named = users.identifierOf(given)
    if (!named) throw nameIsMissing()
    const user = await named.find()
    const send = async (to: User | undefined) => {
      const account = to ? accountOf(to) : accountNamed(named.key)
      const digits = await shortCodes.digitsFor(account)
      const mayMail = await mailLimits(digits).mayMail(to?.email || named.key)
      const isSent = mayMail && to?.is_active && to.email !== ''
      const mailed = isSent ? 'now' : mayMail ? 'unsent' : 'earlier'
      return transaction(db, async (tx) => {
        const opening = { owner: to ?? NOBODY, account, mailed, digits } as const
        const { code, sessionId } = await openCodes.open(opening, tx)
        const letter = { ...letterTo(to?.email ?? '', code), userId: to?.id ?? null }
        await (isSent ? outbox.post : outbox.pretend)(letter, tx)
        return sessionId
      })
    }
    return send(user).catch((error) => {
      // The user was deleted a moment ago, so the name is unknown by now.
      if (isOfDeletedUser(error)) return send(undefined)
      throw error
    })
  }

  function nameIsMissing(): Problem {
    if (!LOGIN_METHODS.includes('username')) return problem('email_needed')
    if (!LOGIN_METHODS.includes('email')) return problem('username_needed')
    return problem('identifier_needed')
  }
}

/** People read and type a code in groups of three digits. */
const letterTo = (to: string, code: string) =>
  ({
    to,
    template: 'login-code',
    values: { code: code.replace(/\d{3}(?=\d)/g, '$& ') },
  }) as const
