import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import { problem } from '../../problems.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { SecondFactor } from './second-factor.ts'

type Needs = {
  stores: Stores
  secondFactor: SecondFactor
  audit: Audit
  clock: Clock
  lifetimeMs: number
}

const TOKEN_BYTES = 32
const TRIES = 5
/** Far more than a person opens; whoever knows a password must not fill the database with it. */
const OPEN_MAX = 100

/** Between the two halves of a login: whoever holds the token has shown the first factor only. */
export function createChallenges({ stores, secondFactor, audit, clock, lifetimeMs }: Needs) {
  return {
    /** The token of a new challenge; `method` is how the user proved himself so far. */
    async open(user: User, method: string): Promise<string> {
      const token = randomToken(TOKEN_BYTES)
      await stores.mfaChallenges.add({
        digest: digest(token),
        user_id: user.id,
        epoch: user.epoch,
        method,
        tries_left: TRIES,
        expires_at: clock.now() + lifetimeMs,
      })
      await stores.mfaChallenges.keepYoungest(user.id, OPEN_MAX)
      return token
    },

    /** The user whose challenge and code these are; both are spent. */
    async meet(token: string, code: string, address: string): Promise<User> {
      const key = digest(token)
      const known = await stores.mfaChallenges.findLive(key, clock.now())
      if (!known) throw problem('ephemeral_token_invalid')

      const user = await stores.transaction(async (tx) => {
        const user = await tx.users.lock(known.user_id)
        const challenge = await tx.mfaChallenges.takeTry(key, clock.now())
        const authenticator = user && (await tx.totp.findOfUser(user.id))
        if (!authenticator || !challenge) throw problem('ephemeral_token_invalid')
        if (!user.is_active || user.epoch !== challenge.epoch)
          throw problem('ephemeral_token_invalid')

        const given = { code, address, purpose: 'login' } as const
        const factor = await secondFactor.prove(user, authenticator, given, tx)
        if (!factor) return null
        await tx.mfaChallenges.remove(key)
        const details = { first: challenge.method, second: factor, address }
        await audit.record({ userId: user.id, event: 'mfa_verified', details }, tx.audit)
        return user
      })
      if (!user) throw problem('mfa_code_invalid')
      return user
    },
  }
}
