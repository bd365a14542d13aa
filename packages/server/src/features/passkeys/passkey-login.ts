import { asCredential, type Credential } from '../../crypto/webauthn/credential.ts'
import { loadVerifiers, type Verifiers } from '../../crypto/webauthn/load-verifiers.ts'
import type { Assertion } from '../../crypto/webauthn/verify-assertion.ts'
import { type Problem, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf, type Passkey, type User } from '../../storage/schema.ts'
import type { Identifier } from '../users/identifiers.ts'
import { type Answered, logRefusal, NOBODY } from './ceremonies.ts'
import { createMadeUpDescriptors, type Descriptor, descriptorOf } from './descriptors.ts'
import type { PasskeyNeeds } from './passkey-registration.ts'
import {
  findByCredentialId,
  findPasskeyOfUser,
  listDescriptorsOf,
  recordUse,
} from './passkeys-queries.ts'

/** The user, and whether the passkey counts as two factors. */
export type PasskeyLogin = {
  user: User
  isStrong: boolean
  /** Whether the passkey has not been removed meanwhile. */
  stillTheirs(tx: Tx): Promise<boolean>
}

/** The passkeys that are accepted; those of any user if `userId` is null. */
type Allowed = {
  userId: number | null
  /** The id of a namesake, whose passkeys will do, too. It is kept as the form of the ceremony. */
  namesakeId: string | null
  credentials: Descriptor[]
}

const ANYBODYS: Allowed = { userId: null, namesakeId: null, credentials: [] }

type Found = Passkey & { handle: string }

const CREDENTIAL_ID = /^[\w-]{1,1364}$/

export function createPasskeyLogin(needs: PasskeyNeeds) {
  const { db, users, ceremonies, rp, audit, clock, log, secretKey } = needs
  const madeUpFor = createMadeUpDescriptors(secretKey)

  return {
    /** Returns `PublicKeyCredentialRequestOptions` as JSON. */
    async beginLogin(given: { username: string; email: string }) {
      rp.mustBeUsable()
      const named = users.identifierOf(given)
      const { userId, namesakeId, credentials } = named ? await passkeysOf(named) : ANYBODYS
      const { challenge, id } = await ceremonies.begin('login', userId, namesakeId)
      return {
        challenge,
        timeout: rp.timeoutMs,
        rpId: rp.rpId,
        allowCredentials: credentials,
        userVerification: rp.userVerification,
        session_id: id,
      }
    },

    /** Finds out who used a passkey. The challenge is spent in any case. */
    async completeLogin(input: unknown, id: string): Promise<PasskeyLogin> {
      rp.mustBeUsable()
      const verifiers = await loadVerifiers()
      const answered = await ceremonies.answer({ kind: 'login', id })
      if (!answered) throw problem('authentication_challenge_expired')
      const credential = asCredential(input)
      if (!credential) throw problem('invalid_credential_format')

      const passkey = await find(credential.id)
      const user = await users.findById(passkey?.user_id ?? NOBODY)
      const assertion = await verify(verifiers, credential, passkey, answered)
      if (!passkey || !user) throw refusal('unknown credential')
      if (!isFor(answered, passkey, credential)) throw refusal('a passkey of somebody else')
      const { backup_known, backup_eligible } = passkey
      if (backup_known && assertion.backupEligible !== (backup_eligible === 1)) {
        throw refusal('backup eligibility has changed')
      }
      if (!user.is_active) throw refusal('the user is not active')
      await moveCounter(passkey, assertion)

      // A lost authenticator without a PIN accepts a new PIN from its finder. So it counts as a
      // second factor only if it verified the user when the passkey was made.
      return {
        user,
        isStrong: assertion.userVerified && passkey.user_verified === 1,
        stillTheirs: async (tx) => (await findPasskeyOfUser(tx, user.id, passkey.id)) !== undefined,
      }
    },
  }

  /**
   * Does the same work for unknown names, so that neither the list nor the time tells who exists. The
   * made-up list is drawn for everybody, and written down only if it is needed: that takes about as
   * long as reading the rows of somebody who exists.
   *
   * If the name is the address of one user and the username of another, the passkeys of both will do.
   * Strangers can register any address, so it must not keep the second user out.
   */
  async function passkeysOf(named: Identifier): Promise<Allowed> {
    const [user, namesake] = await named.findBoth()
    const userId = user?.id ?? NOBODY
    const real = await listDescriptorsOf(db, userId, namesake?.id ?? NOBODY)
    const madeUp = madeUpFor(named.key)
    const credentials = real.length > 0 ? real.map(descriptorOf) : madeUp()
    return { userId, namesakeId: namesake ? String(namesake.id) : null, credentials }
  }

  /** Ids that no authenticator could have made are not looked up. */
  async function find(credentialId: string): Promise<Found | undefined> {
    return CREDENTIAL_ID.test(credentialId) ? findByCredentialId(db, credentialId) : undefined
  }

  /** An unknown credential takes as long as a wrong signature. */
  function verify(
    { verifyAssertion }: Verifiers,
    credential: Credential,
    passkey: Passkey | undefined,
    { isChallenge }: Answered,
  ): Promise<Assertion> {
    const key = new Uint8Array(Buffer.from(passkey?.public_key ?? DECOY_COSE_KEY, 'base64url'))
    return verifyAssertion(credential, key, { ...rp, isChallenge }).catch((error) => {
      throw refusal(error)
    })
  }

  async function moveCounter(passkey: Passkey, assertion: Assertion): Promise<void> {
    const { signCount, backupEligible, backedUp } = assertion
    const use = {
      sign_count: signCount,
      backup_eligible: flagOf(backupEligible),
      backed_up: flagOf(backedUp),
      last_used_at: clock.now(),
    }
    if (await recordUse(db, passkey.id, use)) return
    const details = { passkey: passkey.id, stored: passkey.sign_count, got: signCount }
    await audit.record({ userId: passkey.user_id, event: 'passkey_possible_clone', details })
    throw refusal('the counter has not grown')
  }

  function refusal(reason: unknown): Problem {
    logRefusal(log, 'login', reason)
    return problem('authentication_not_verified')
  }
}

/**
 * WebAuthn Level 3, section 7.2, step 6: the named user, or their namesake, must own the passkey. If
 * nobody was named, the authenticator must name the owner.
 */
function isFor({ userId, form }: Answered, passkey: Found, { response }: Credential): boolean {
  const { userHandle } = response
  const namesNobody = userHandle === undefined || userHandle === null || userHandle === ''
  const isNamed = userId === passkey.user_id || form === String(passkey.user_id)
  if (namesNobody) return isNamed
  return userHandle === passkey.handle && (userId === null || isNamed)
}

/**
 * The base point of P-256 is a valid public key. Checking the signatures of unknown credentials with
 * it takes as long as checking others.
 */
const X = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
const Y = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'
const DECOY_COSE_KEY = Buffer.from(`a5010203262001215820${X}225820${Y}`, 'hex').toString(
  'base64url',
)
