import { asCredential, type Credential } from '../../crypto/webauthn/credential.ts'
import { loadVerifiers, type Verifiers } from '../../crypto/webauthn/load-verifiers.ts'
import type { NewCredential } from '../../crypto/webauthn/verify-registration.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isObject } from '../../kernel/json-object.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { Flag, Passkey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'
import { isUnproved, type ProvedAddress } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import type { Begun, Challenges } from './challenges.ts'
import { addPasskeyIfNew } from './passkeys-queries.ts'
import type { NoteRefusal } from './refusals.ts'
import type { RelyingParty } from './relying-party.ts'
import { readTransports } from './transports.ts'

type Needs = {
  db: Db
  users: Users
  challenges: Challenges
  rp: RelyingParty
  audit: Audit
  outbox: Outbox
  provedAddress: ProvedAddress
  clock: Clock
  noteRefusal: NoteRefusal
}

const DEFAULT_NAME = 'Passkey'

/** Stores the passkey of a ceremony. The challenge is used up in any case. */
export function createCompleteRegistration(needs: Needs) {
  const { db, users, challenges, rp, audit, outbox, provedAddress, clock, noteRefusal } = needs

  return async (user: User, input: unknown, name = DEFAULT_NAME): Promise<Passkey> => {
    rp.mustBeUsable()
    provedAddress.mustBeThere(user)
    const verifiers = await loadVerifiers()
    const begun = await challenges.consume({ registrationOf: user.id })
    if (!begun) throw problem('registration_challenge_expired')
    const credential = asCredential(input)
    const made = credential && (await verify(verifiers, credential, begun))
    if (!made) throw problem('registration_not_verified')

    const passkey = {
      user_id: user.id,
      name,
      ...columnsOf(made),
      ...hintsIn(credential),
      created_at: clock.now(),
      last_used_at: null,
    }
    return transaction(db, async (tx) => {
      const current = await users.stillSignedIn(user, tx)
      provedAddress.mustBeThere(current)
      const added = await addPasskeyIfNew(tx, { ...passkey, added_unproved: isUnproved(current) })
      if (!added) throw problem('credential_registered')
      const details = { passkey: added.id }
      await audit.record({ userId: user.id, event: 'passkey_added', details }, tx)
      await outbox.notify(user, 'passkey-added', tx)
      return added
    })
  }

  async function verify(
    { verifyRegistration }: Verifiers,
    credential: Credential,
    { isChallenge }: Begun,
  ): Promise<NewCredential | null> {
    try {
      return await verifyRegistration(credential, { ...rp, isChallenge })
    } catch (error) {
      noteRefusal('registration', error)
      return null
    }
  }
}

export const columnsOf = (made: NewCredential) => ({
  credential_id: made.credentialId,
  public_key: Buffer.from(made.publicKey).toString('base64url'),
  sign_count: made.signCount,
  user_verified: flag(made.userVerified),
  backup_eligible: flag(made.backupEligible),
  backed_up: flag(made.backedUp),
})

/**
 * Hints of the browser. They are not signed, so they serve only for display and for finding the
 * authenticator.
 */
export function hintsIn({
  response,
  clientExtensionResults,
}: Pick<Credential, 'response' | 'clientExtensionResults'>) {
  const extensions = isObject(clientExtensionResults) ? clientExtensionResults : {}
  const properties = isObject(extensions.credProps) ? extensions.credProps : {}
  return {
    transports: JSON.stringify(readTransports(response.transports)),
    // If the browser does not say, true, as in dj-rest-auth: the options asked for it.
    discoverable: flag(properties.rk !== false),
  }
}

const flag = (value: boolean): Flag => (value ? 1 : 0)
