import type { Identity } from '../../core/identity.ts'
import {
  asCredential,
  type Credential,
  offeredAlgorithms,
} from '../../crypto/webauthn/credential.ts'
import { loadVerifiers, type Verifiers } from '../../crypto/webauthn/load-verifiers.ts'
import type { NewCredential } from '../../crypto/webauthn/verify-registration.ts'
import { isObject } from '../../kernel/json-object.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf, type Passkey, type User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { isUnproved } from '../users/proved-address.ts'
import { type Answered, type Ceremonies, logRefusal } from './ceremonies.ts'
import { descriptorOf, readTransports } from './descriptors.ts'
import {
  addOwnerIfNew,
  addPasskeyIfNew,
  findOwner,
  listPasskeysOfUser,
} from './passkeys-queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** What every part of the feature needs. */
export type PasskeyNeeds = UpToMfa & { ceremonies: Ceremonies; rp: RelyingParty }

export const HANDLE_BYTES = 64
/** A login that names the user lists all passkeys, so their number is bounded. */
const PASSKEYS_MAX = 100
export const DEFAULT_NAME = 'Passkey'

export const tooManyPasskeys = () => problem('too_many_passkeys', { max: PASSKEYS_MAX })

export function createPasskeyRegistration(needs: PasskeyNeeds) {
  const { db, users, ceremonies, rp, outbox, provedAddress, operatorPasskey } = needs
  const verify = createVerify(needs)
  const store = createStore(needs)

  return {
    /**
     * Returns `PublicKeyCredentialCreationOptions` as JSON. `isConditional`: the browser creates the
     * passkey without asking the user.
     */
    async beginRegistration(identity: Identity, isConditional = false) {
      const { user } = identity
      rp.mustBeUsable()
      // Refused before the browser creates a passkey, which would stay there and never work.
      if (isConditional && rp.requireUserVerification) throw problem('registration_not_verified')
      provedAddress.mustBeThere(user)
      const existing = await listPasskeysOfUser(db, user.id)
      if (existing.length >= PASSKEYS_MAX) throw tooManyPasskeys()

      const handle = await handleOf(user)
      const challenge = await transaction(db, async (tx) => {
        // Otherwise the challenge could outlive an account that is deleted at this moment.
        const current = await users.stillSignedIn(identity, tx)
        await operatorPasskey.mustBeUsed(current, identity, tx)
        return ceremonies.beginRegistration(user.id, isConditional, tx)
      })
      const names = { name: user.username, displayName: displayNameOf(user) }
      return creationOptions(rp, { user: { id: handle, ...names }, challenge, existing })
    },

    /** Stores the new passkey. The challenge is spent in any case. */
    async completeRegistration(
      identity: Identity,
      input: unknown,
      name = DEFAULT_NAME,
    ): Promise<Passkey> {
      const { user } = identity
      rp.mustBeUsable()
      provedAddress.mustBeThere(user)
      const verifiers = await loadVerifiers()
      const answered = await ceremonies.answer({ registrationOf: user.id })
      if (!answered) throw problem('registration_challenge_expired')
      const credential = asCredential(input)
      const made = credential && (await verify(verifiers, credential, answered))
      if (!made) throw problem('registration_not_verified')

      return transaction(db, async (tx) => {
        const current = await users.stillSignedIn(identity, tx)
        provedAddress.mustBeThere(current)
        await operatorPasskey.mustBeUsed(current, identity, tx)
        const added = await store(current, { name, made, credential }, tx)
        await outbox.notify(current, 'passkey-added', tx)
        return added
      })
    },
  }

  /** The handle is random and never changes. */
  async function handleOf({ id }: User): Promise<string> {
    await addOwnerIfNew(db, { user_id: id, handle: randomToken(HANDLE_BYTES) })
    const owner = await findOwner(db, id)
    if (!owner) throw problem('not_authenticated')
    return owner.handle
  }
}

/** Checks what an authenticator has made. Returns null, and logs why, if it breaks a rule. */
export const createVerify =
  ({ rp, log }: Pick<PasskeyNeeds, 'rp' | 'log'>) =>
  async (
    { verifyRegistration }: Verifiers,
    credential: Credential,
    { isChallenge, isConditional }: Answered,
  ): Promise<NewCredential | null> => {
    try {
      const expected = { ...rp, isChallenge, requireUserPresence: !isConditional }
      const made = await verifyRegistration(credential, expected)
      // Nobody was asked, whatever the authenticator says.
      return { ...made, userVerified: made.userVerified && !isConditional }
    } catch (error) {
      logRefusal(log, 'registration', error)
      return null
    }
  }

type Made = { name: string; made: NewCredential; credential: Credential }

/** Adds a passkey to a user, whose row the transaction holds. Refuses one that any user has. */
export const createStore =
  ({ audit, clock }: Pick<PasskeyNeeds, 'audit' | 'clock'>) =>
  async (user: User, { name, made, credential }: Made, tx: Tx): Promise<Passkey> => {
    const added = await addPasskeyIfNew(tx, {
      user_id: user.id,
      name,
      ...columnsOf(made),
      ...hintsIn(credential),
      created_at: clock.now(),
      last_used_at: null,
      added_unproved: isUnproved(user),
    })
    if (!added) throw problem('credential_registered')
    const details = { passkey: added.id }
    await audit.record({ userId: user.id, event: 'passkey_added', details }, tx)
    return added
  }

type Wanted = {
  user: { id: string; name: string; displayName: string }
  challenge: string
  existing: readonly Passkey[]
}

/** `PublicKeyCredentialCreationOptions` as JSON. */
export const creationOptions = (rp: RelyingParty, { user, challenge, existing }: Wanted) => ({
  rp: { id: rp.rpId, name: rp.name },
  user,
  challenge,
  pubKeyCredParams: offeredAlgorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: rp.timeoutMs,
  excludeCredentials: existing.map(descriptorOf),
  authenticatorSelection: {
    residentKey: 'preferred' as const,
    requireResidentKey: false,
    userVerification: rp.userVerification,
  },
  attestation: 'none' as const,
  extensions: { credProps: true },
})

const displayNameOf = ({ first_name, last_name, username }: User): string =>
  `${first_name} ${last_name}`.trim() || username

export const columnsOf = (made: NewCredential) => ({
  credential_id: made.credentialId,
  public_key: Buffer.from(made.publicKey).toString('base64url'),
  sign_count: made.signCount,
  user_verified: flagOf(made.userVerified),
  backup_eligible: flagOf(made.backupEligible),
  backed_up: flagOf(made.backedUp),
})

type Hints = Pick<Credential, 'response' | 'clientExtensionResults'>

/** Unsigned hints of the browser, only for display and for finding the authenticator. */
function hintsIn({ response, clientExtensionResults }: Hints) {
  const extensions = isObject(clientExtensionResults) ? clientExtensionResults : {}
  const properties = isObject(extensions.credProps) ? extensions.credProps : {}
  return {
    transports: JSON.stringify(readTransports(response.transports)),
    // True by default, as in dj-rest-auth, since the options asked for it.
    discoverable: flagOf(properties.rk !== false),
  }
}
