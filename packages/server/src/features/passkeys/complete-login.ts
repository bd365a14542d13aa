import { asCredential, type Credential } from '../../crypto/webauthn/credential.ts'
import { loadVerifiers, type Verifiers } from '../../crypto/webauthn/load-verifiers.ts'
import type { Assertion } from '../../crypto/webauthn/verify-assertion.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Problem, problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Users } from '../users/users.ts'
import { type Begun, type Challenges, NOBODY } from './challenges.ts'
import { decoyKey } from './decoy-key.ts'
import { findByCredentialId, recordUse } from './passkeys-queries.ts'
import type { NoteRefusal } from './refusals.ts'
import type { RelyingParty } from './relying-party.ts'

type Needs = {
  db: Db
  users: Users
  challenges: Challenges
  rp: RelyingParty
  audit: Audit
  clock: Clock
  noteRefusal: NoteRefusal
}

/** The user, and whether the passkey counts as two factors. */
export type PasskeyLogin = { user: User; isStrong: boolean }

type Found = Passkey & { handle: string }

const CREDENTIAL_ID = /^[\w-]{1,1364}$/

/** Finds out who used a passkey. The challenge is used up in any case. */
export function createCompleteLogin(needs: Needs) {
  const { db, users, challenges, rp, audit, clock, noteRefusal } = needs

  return async (input: unknown, sessionId: string): Promise<PasskeyLogin> => {
    rp.mustBeUsable()
    const verifiers = await loadVerifiers()
    const begun = await challenges.consume({ loginSession: sessionId })
    if (!begun) throw problem('authentication_challenge_expired')
    const credential = asCredential(input)
    if (!credential) throw problem('invalid_credential_format')

    const passkey = await find(credential.id)
    const user = await users.findById(passkey?.user_id ?? NOBODY)
    const assertion = await verify(verifiers, credential, passkey, begun)
    if (!assertion) throw problem('authentication_not_verified')
    if (!passkey || !user) throw refusal('unknown credential')
    if (!isFor(begun, passkey, credential)) throw refusal('a passkey of somebody else')
    const { backup_known: isKnown, backup_eligible: isEligible } = passkey
    if (isKnown && assertion.backupEligible !== (isEligible === 1)) {
      throw refusal('backup eligibility has changed')
    }
    if (!user.is_active) throw refusal('the user is not active')
    await moveCounter(passkey, assertion)

    // A lost authenticator without a PIN accepts a new PIN from whoever finds it. So it counts as a
    // second factor only if it verified the user when the passkey was made.
    return { user, isStrong: assertion.userVerified && passkey.user_verified === 1 }
  }

  /** Ids that no authenticator could have made are not looked up. */
  async function find(credentialId: string): Promise<Found | undefined> {
    return CREDENTIAL_ID.test(credentialId) ? findByCredentialId(db, credentialId) : undefined
  }

  /** An unknown credential costs as much time as a wrong signature. */
  async function verify(
    { verifyAssertion }: Verifiers,
    credential: Credential,
    passkey: Passkey | undefined,
    { isChallenge }: Begun,
  ): Promise<Assertion | null> {
    const key = new Uint8Array(Buffer.from(passkey?.public_key ?? decoyKey, 'base64url'))
    try {
      return await verifyAssertion(credential, key, { ...rp, isChallenge })
    } catch (error) {
      noteRefusal('login', error)
      return null
    }
  }

  async function moveCounter(passkey: Passkey, assertion: Assertion): Promise<void> {
    const { signCount, backupEligible, backedUp } = assertion
    const use = {
      sign_count: signCount,
      backup_eligible: backupEligible ? 1 : 0,
      backed_up: backedUp ? 1 : 0,
      last_used_at: clock.now(),
    } as const
    if (await recordUse(db, passkey.id, use)) return
    const details = { passkey: passkey.id, stored: passkey.sign_count, got: signCount }
    await audit.record({ userId: passkey.user_id, event: 'passkey_possible_clone', details })
    throw refusal('the counter has not grown')
  }

  function refusal(reason: string): Problem {
    noteRefusal('login', reason)
    return problem('authentication_not_verified')
  }
}

/**
 * WebAuthn Level 3, section 7.2, step 6: the named user must own the passkey. If nobody was named,
 * the authenticator must name the owner.
 */
function isFor({ userId }: Begun, passkey: Found, { response }: Credential): boolean {
  const { userHandle } = response
  const namesNobody = userHandle === undefined || userHandle === null || userHandle === ''
  if (namesNobody) return userId === passkey.user_id
  return userHandle === passkey.handle && (userId === null || userId === passkey.user_id)
}
