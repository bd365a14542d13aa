import { digest } from '../../crypto/digests.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import { keepYoungest, markProved } from '../../storage/rows-of-user.ts'
import type { LoginMethod, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToJwt } from '../jwt/feature.ts'
import {
  addChallenge,
  closeChallenge,
  findAuthenticatorOfUser,
  findLiveChallenge,
  removeChallenge,
  takeTry,
} from './mfa-queries.ts'
import type { SecondFactor } from './second-factor.ts'

type Needs = UpToJwt & {
  secondFactor: SecondFactor
  /** A token that was made at one place is void at the other. */
  at: 'public' | 'admin'
}

export type Challenges = ReturnType<typeof createChallenges>

/** The first factor. A social account that it has linked by the address is sure after the second. */
type Begun = { method: LoginMethod; linkedAccount?: number | null }

const TOKEN_BYTES = 32
const TRIES = 5
/** Far more than a person needs. Without a bound, a thief of a password could fill the database. */
const OPEN_MAX = 100

/** The step between the two factors of a login. The token proves only the first factor. */
export function createChallenges(needs: Needs) {
  const { db, users, secondFactor, audit, clock, settings } = needs
  const { MFA_EPHEMERAL_TOKEN_TIMEOUT: lifetimeMs } = settings.REST_AUTH
  // Not a part of the digested text, since a client could add it to a token.
  const prefix = needs.at === 'public' ? '' : `${needs.at}.`
  const keyOf = (token: string) => `${prefix}${digest(token)}`

  return {
    /**
     * Returns a token. `method` is how the user passed the first factor. The transaction holds the
     * user's row.
     */
    async open(user: User, { method, linkedAccount = null }: Begun, tx: Tx): Promise<string> {
      const token = randomToken(TOKEN_BYTES)
      await addChallenge(tx, {
        digest: keyOf(token),
        user_id: user.id,
        epoch: user.epoch,
        method,
        linked_account: linkedAccount,
        tries_left: TRIES,
        expires_at: clock.now() + lifetimeMs,
      })
      await keepYoungest(tx, 'mfa_challenges', user.id, OPEN_MAX)
      return token
    },

    /**
     * Spends the challenge and the code. `stillTheirs` resolves with false if the first factor was
     * removed meanwhile, which ends the challenge.
     */
    async meet(token: string, code: string, address: string) {
      const key = keyOf(token)
      const known = await findLiveChallenge(db, key, clock.now())
      if (!known) throw problem('ephemeral_token_invalid')

      const met = await transaction(db, async (tx) => {
        const user = await users.lock(known.user_id, tx)
        const challenge = await takeTry(tx, key, clock.now())
        const authenticator = user && (await findAuthenticatorOfUser(tx, user.id))
        if (!authenticator || !challenge) throw problem('ephemeral_token_invalid')
        if (!user.is_active || user.epoch !== challenge.epoch)
          throw problem('ephemeral_token_invalid')

        const given = { code, address, purpose: 'login' } as const
        const factor = await secondFactor.prove(user, authenticator, given, tx)
        if (!factor) return null
        await closeChallenge(tx, key)
        const { linked_account } = challenge
        if (linked_account !== null) await markProved(tx, 'social_accounts', linked_account)
        const details = { first: challenge.method, second: factor, address }
        await audit.record({ userId: user.id, event: 'mfa_verified', details }, tx)
        return { user, method: challenge.method }
      })
      if (!met) throw problem('mfa_code_invalid')
      return { ...met, stillTheirs: (tx: Tx) => removeChallenge(tx, key) }
    },
  }
}
