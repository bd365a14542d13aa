import type { Identity } from '../../core/identity.ts'
import { digest } from '../../crypto/digests.ts'
import { base32, fromBase32, type Totp } from '../../crypto/totp.ts'
import { MINUTE } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import { randomBuffer, randomToken } from '../../kernel/random.ts'
import { keepYoungest } from '../../storage/rows-of-user.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import {
  addActivation,
  addAuthenticatorIfNone,
  findActivation,
  findAuthenticatorOfUser,
  takeActivationsOfUser,
} from './mfa-queries.ts'
import { withoutSeparators } from './recovery-codes.ts'
import type { MfaParts } from './second-factor.ts'

const SECRET_BYTES = 20
const TOKEN_BYTES = 32
const LIFETIME = 5 * MINUTE
/** Far more than a person needs. */
const OPEN_MAX = 10

/** Switches MFA on in two steps: the app gets a secret, and its first code activates it. */
export function createActivation(needs: MfaParts) {
  const { db, users, revocation, totp, recoveryCodes, sealedBox, secrets } = needs
  const { audit, outbox, events, provedAddress, operatorPasskey, clock, settings } = needs
  const { MFA_TOTP_ISSUER: issuer } = settings.REST_AUTH

  return {
    /** The client gets a token for the secret, so it can never choose a secret itself. */
    async begin(identity: Identity) {
      const { user } = identity
      provedAddress.mustBeThere(user)
      await operatorPasskey.mustBeUsed(user, identity, db)
      const secret = base32(randomBuffer(SECRET_BYTES))
      const token = randomToken(TOKEN_BYTES)
      const key = digest(token)
      await addActivation(db, {
        digest: key,
        user_id: user.id,
        sealed_secret: sealedBox.seal(secret, activationOwner(key)),
        expires_at: clock.now() + LIFETIME,
      })
      await keepYoungest(db, 'totp_activations', user.id, OPEN_MAX)
      const account = user.email || user.username
      return { secret, token, url: totpUrl({ issuer, account, secret, ...totp }) }
    },

    /** Returns the recovery codes. A wrong code leaves the token valid. A right code is spent. */
    async complete(identity: Identity, token: string, code: string): Promise<string[]> {
      const { user } = identity
      provedAddress.mustBeThere(user)
      if (await findAuthenticatorOfUser(db, user.id)) throw problem('mfa_already_enabled')
      const key = digest(token)
      const secret = await secretOf(key, user)
      const step = totp.stepOf(fromBase32(secret), withoutSeparators(code), clock.now())
      if (step === undefined) {
        const details = { reason: 'wrong_code', purpose: 'activate' }
        await audit.record({ userId: user.id, event: 'mfa_refused', details })
        throw problem('activation_code_invalid')
      }
      return transaction(db, async (tx) => {
        const current = await users.stillSignedIn(identity, tx)
        provedAddress.mustBeThere(current)
        await operatorPasskey.mustBeUsed(current, identity, tx)
        const added = await addAuthenticatorIfNone(tx, {
          user_id: user.id,
          sealed_secret: secrets.seal(user.id, secret),
          last_step: step,
          created_at: clock.now(),
          last_used_at: null,
        })
        if (!added) throw problem('mfa_already_enabled')
        const taken = await takeActivationsOfUser(tx, user.id)
        if (!taken.some((activation) => activation.digest === key))
          throw problem('activation_token_invalid')
        await revocation.ofOtherCredentials(identity, tx)
        await audit.record({ userId: user.id, event: 'mfa_activated' }, tx)
        await outbox.notify(current, 'mfa-activated', tx)
        await events.note('mfaChanged', current, { change: 'activated' }, tx)
        return recoveryCodes.replace(user.id, tx)
      })
    },
  }

  async function secretOf(key: string, user: User): Promise<string> {
    const activation = await findActivation(db, key)
    if (!activation || activation.expires_at <= clock.now()) {
      throw problem('activation_token_invalid')
    }
    if (activation.user_id !== user.id) throw problem('activation_token_foreign')
    const secret = sealedBox.open(activation.sealed_secret, activationOwner(key))
    if (secret === null) throw problem('activation_token_invalid')
    return secret
  }
}

export const activationOwner = (key: string): string => `totp-activation:${key}`

type UrlParts = Totp & { issuer: string; account: string; secret: string }

/** The link in the QR code. Names are escaped, so that none can pass for another part of it. */
function totpUrl({ issuer, account, secret, digits, periodSeconds }: UrlParts): string {
  const [name, owner] = [encodeURIComponent(issuer), encodeURIComponent(account)]
  const options = `secret=${secret}&issuer=${name}&algorithm=SHA1&digits=${digits}&period=${periodSeconds}`
  return `otpauth://totp/${name}:${owner}?${options}`
}
