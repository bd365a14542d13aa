import { openSession, seatOf } from '../../core/seats.ts'
import { digest } from '../../crypto/digest.ts'
import { isEqualText } from '../../crypto/equal-text.ts'
import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomInt } from '../../kernel/random.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import type { LoginCode, User } from '../../storage/schema.ts'
import {
  consumeCode,
  findLiveCode,
  forgetExpiredCodes,
  passCodesOn,
  putCode,
  putCodeIfFree,
  takeTry,
} from './codes-queries.ts'

export type OpenCodes = ReturnType<typeof createOpenCodes>

/** The parts of the user that a code is bound to. If one of them changes, the code is void. */
export type CodeOwner = Pick<User, 'id' | 'epoch' | 'email'>

export const NOBODY: CodeOwner = { id: 0, epoch: 0, email: '' }

const TRIES = 3
const DIGITS = 6

type Needs = { db: Db; keyedDigest: KeyedDigest; clock: Clock; lifetimeMs: number }

/** The codes that were mailed and not used yet. Each is good for one session and a few tries. */
export function createOpenCodes({ db, keyedDigest, clock, lifetimeMs }: Needs) {
  const codeDigest = (sessionId: string, { id, epoch, email }: CodeOwner, code: string): string =>
    keyedDigest.of(JSON.stringify([sessionId, id, epoch, email, code]))

  return {
    /** Returns the code and its session; only their digests are stored. */
    async open(owner: CodeOwner, account: string, tx: Tx) {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const sessionId = await openSession(async (sessionId, mayReplace) => {
        const row = {
          place: seatOf(sessionId),
          session_digest: digest(sessionId),
          user_id: owner.id,
          account,
          code_digest: codeDigest(sessionId, owner, code),
          tries_left: TRIES,
          expires_at: clock.now() + lifetimeMs,
        }
        if (!mayReplace) return putCodeIfFree(tx, row, clock.now())
        await putCode(tx, row)
        return true
      })
      return { code, sessionId }
    },

    /** Undefined if it has expired, was used or has no try left. */
    find: (sessionId: string) =>
      findLiveCode(db, seatOf(sessionId), digest(sessionId), clock.now()),

    /** Uses up one try. Undefined if there is none left. */
    takeTry: (sessionId: string) => takeTry(db, seatOf(sessionId), digest(sessionId), clock.now()),

    isRight: (open: LoginCode, sessionId: string, owner: CodeOwner, typed: string): boolean =>
      isEqualText(open.code_digest, codeDigest(sessionId, owner, typed.replace(/\s/g, ''))),

    /** Undefined if it was used already. */
    consume: (sessionId: string, tx: Tx) => consumeCode(tx, seatOf(sessionId), digest(sessionId)),

    /**
     * Whoever asked for a code for a deleted user goes on as with an unknown name. Otherwise the
     * answers would tell that there was such a user.
     */
    forgetUser: (userId: number, tx: Tx) => passCodesOn(tx, userId, NOBODY.id),

    forgetExpired: (most: number) => forgetExpiredCodes(db, clock.now(), most),
  }
}
