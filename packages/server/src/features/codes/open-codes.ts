import { seatOf, takeSeat } from '../../core/seats.ts'
import { createKeyedDigest, digest, isEqualText } from '../../crypto/digests.ts'
import { DAY } from '../../kernel/clock.ts'
import { randomInt } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import type { LoginCode, User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import { accountOf, type Limits, longestPause } from '../limits/limits.ts'
import { signedAddress } from '../users/proved-address.ts'
import {
  endSession,
  findSession,
  listMailedCodes,
  passCodesOn,
  putCodeIfFree,
  spendCode,
  takeTry,
} from './codes-queries.ts'

export type OpenCodes = ReturnType<typeof createOpenCodes>

/** The parts of the user that a code is bound to. If one of them changes, the code is void. */
type CodeOwner = Pick<User, 'id' | 'epoch' | 'email' | 'email_epoch'>

export const NOBODY: CodeOwner = { id: 0, epoch: 0, email: '', email_epoch: 0 }

const TRIES = 3
/** A session without its own mail accepts this many earlier codes. More would help guessing. */
const EARLIER_MAX = 3

/** Stored instead of a digest if there is no code. No digest looks like these. */
const UNSENT = 'unsent'
const SPENT = 'spent'
const EARLIER = ''

/** `unsent`: nobody gets a mail. `earlier`: too many were sent, so the session is for these. */
type Mailed = 'now' | 'earlier' | 'unsent'

type Opening = { owner: CodeOwner; account: string; mailed: Mailed; digits: number }

/**
 * The codes that were mailed and not used yet. Each is valid once, for its own session and a few
 * tries. Strangers may use up the mail limit of an address. A session that begins while no mail may
 * be sent therefore accepts the codes of the earlier mails. A code that was not mailed is never
 * valid.
 */
export function createOpenCodes({ db, clock, secretKey, settings }: Context) {
  const { LOGIN_BY_CODE_TIMEOUT: lifetimeMs, RATE_LIMITS } = settings.ACCOUNT
  // A code lives for minutes, so a new secret key voids it.
  const keyedDigest = createKeyedDigest(secretKey, [], 'login-codes')
  const pauseMs = longestPause(RATE_LIMITS.code_mail)

  return {
    /** Returns the code and its session; only their digests are stored. */
    async open({ owner, account, mailed, digits }: Opening, tx: Tx) {
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const now = clock.now()
      const sessionId = await takeSeat(now, (sessionId, until) => {
        const session = digest(sessionId)
        const codeDigests = {
          now: digestOf(session, owner, code),
          earlier: EARLIER,
          unsent: UNSENT,
        }
        const row = {
          place: seatOf(sessionId),
          session_digest: session,
          user_id: owner.id,
          account,
          code_digest: codeDigests[mailed],
          tries_left: TRIES,
          session_until: now + lifetimeMs,
          expires_at: now + Math.max(lifetimeMs, mailed === 'earlier' ? 0 : pauseMs),
        }
        return putCodeIfFree(tx, row, until)
      })
      return { code, sessionId }
    },

    /** Undefined if the session has expired, was used or has no try left. */
    find: (sessionId: string) => findSession(db, seatOf(sessionId), digest(sessionId), clock.now()),

    /** Uses up one try. Undefined if there is none left. */
    takeTry: (sessionId: string) => takeTry(db, seatOf(sessionId), digest(sessionId), clock.now()),

    /**
     * The mailed code that was typed; undefined if it is wrong. It always looks up the earlier codes,
     * so that the time does not tell whether the session uses them.
     */
    async typedCode(session: LoginCode, owner: CodeOwner, typed: string) {
      const earlier = await listMailedCodes(db, session.account, clock.now(), EARLIER_MAX)
      const candidates = session.code_digest === EARLIER ? earlier : [session]
      return candidates.find((one) => isCode(one, owner, typed))
    },

    isCode,

    /** Ends the session. Of all sessions that use one code exactly one gets true. */
    async spend(session: LoginCode, code: LoginCode, tx: Tx): Promise<boolean> {
      await endSession(tx, session)
      return spendCode(tx, code, SPENT)
    },

    /**
     * Sessions for a deleted user continue as for an unknown name. Otherwise the answers would tell
     * that there was such a user.
     */
    forgetUser: (userId: number, tx: Tx) => passCodesOn(tx, userId, NOBODY.id),
  }

  function isCode(row: LoginCode, owner: CodeOwner, typed: string): boolean {
    return isEqualText(row.code_digest, digestOf(row.session_digest, owner, typed))
  }

  function digestOf(session: string, owner: CodeOwner, code: string): string {
    const { id, epoch } = owner
    return keyedDigest.of(JSON.stringify([session, id, epoch, signedAddress(owner), code]))
  }
}

export type ShortCodes = ReturnType<typeof createShortCodes>

const SHORT = 6
const LONG = 12
const WRONG_PER_DAY = { count: 10, windowMs: DAY }

/**
 * Six digits are easy to type, but too few against a botnet that guesses all day. So an account
 * accepts ten wrong short codes a day. After that its codes are long, and no short one is right. The
 * owner can still log in, with the longer code of the next mail. docs/security.md has the arithmetic.
 */
export function createShortCodes(limits: Limits) {
  const counted = (account: string) =>
    ({ rule: 'short-code', subject: account, rate: WRONG_PER_DAY }) as const

  return {
    /** How many digits the next code of the account has. */
    digitsFor: async (account: string): Promise<number> =>
      (await limits.isReached(counted(account))) ? LONG : SHORT,

    /** Counts a guess at a short code before it is checked, so that parallel guesses gain nothing. */
    mayBeRight: async (account: string, typed: string): Promise<boolean> =>
      typed.length > SHORT || limits.tryTake(counted(account)),

    async wasRight(account: string, typed: string): Promise<void> {
      if (typed.length <= SHORT) await limits.giveBack(counted(account))
    },

    forgetUser: (user: User, tx: Tx) => limits.forget(counted(accountOf(user)), tx),
  }
}
