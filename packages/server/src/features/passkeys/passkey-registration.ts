import type { Identity } from '../../core/identity.ts'
import {
  asCredential,
  type Credential,
  offeredAlgorithms,
} from '../../crypto/webauthn/credential.ts'
import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import type { NewCredential } from '../../crypto/webauthn/verify-registration.ts'
import { isObject } from '../../kernel/json-object.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf, type Passkey, type User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { isUnproved } from '../users/proved-address.ts'
import {
  type Ceremonies,
  type Ceremony,
  logRefusal,
  NOBODY,
  type RelyingParty,
} from './ceremonies.ts'
import { descriptorOf, readTransports } from './descriptors.ts'
import {
  addOwnerIfNew,
  addPasskeyIfNew,
  findOwner,
  listPasskeysOfUser,
} from './passkeys-queries.ts'

/** What every part of the feature needs. */
export type PasskeyNeeds = UpToMfa & { ceremonies: Ceremonies; rp: RelyingParty }

const HANDLE_BYTES = 64
/** Longer forms are refused. Otherwise open sign-ups could fill the database. */
const FORM_MAX = 4096
/** A login that names the user lists all passkeys, so their number is bounded. */
const PASSKEYS_MAX = 100
const DEFAULT_NAME = 'Passkey'

export const tooManyPasskeys = () => problem('too_many_passkeys', { max: PASSKEYS_MAX })

export function createPasskeyRegistration(needs: PasskeyNeeds) {
  const { db, users, ceremonies, rp, provedAddress, operatorPasskey } = needs
  const { outbox, audit, clock, log } = needs

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
      const received = await receive({ kind: 'registration', userId: user.id }, input)
      return transaction(db, async (tx) => {
        const current = await users.stillSignedIn(identity, tx)
        provedAddress.mustBeThere(current)
        await operatorPasskey.mustBeUsed(current, identity, tx)
        const added = await store(current, name, received, tx)
        await outbox.notify(current, 'passkey-added', tx)
        return added
      })
    },

    /** The same for a passkey that is made before its account. The form comes back with it. */
    async beginSignup(name: string, form: object) {
      rp.mustBeUsable()
      const handle = randomToken(HANDLE_BYTES)
      const kept = JSON.stringify({ handle, form })
      if (kept.length > FORM_MAX) throw problem('body_too_large')
      const { challenge, id } = await ceremonies.begin('signup', NOBODY, kept)
      const user = { id: handle, name, displayName: name }
      return { ...creationOptions(rp, { user, challenge, existing: [] }), session_id: id }
    },

    async completeSignup(input: unknown, id: string, name = DEFAULT_NAME) {
      rp.mustBeUsable()
      const received = await receive({ kind: 'signup', id }, input)
      if (!received.form) throw problem('registration_challenge_expired')
      const { handle, form } = JSON.parse(received.form) as { handle: string; form: unknown }
      /** Call it in the transaction that adds the user. */
      const add = async (user: User, tx: Tx): Promise<void> => {
        await addOwnerIfNew(tx, { user_id: user.id, handle })
        await store(user, name, received, tx)
      }
      return { form, isStrong: received.made.userVerified, add }
    },
  }

  /** The handle is random and never changes. */
  async function handleOf({ id }: User): Promise<string> {
    await addOwnerIfNew(db, { user_id: id, handle: randomToken(HANDLE_BYTES) })
    const owner = await findOwner(db, id)
    if (!owner) throw problem('not_authenticated')
    return owner.handle
  }

  /** Takes the passkey that a browser has made. The challenge is spent in any case. */
  async function receive(ceremony: Ceremony, input: unknown): Promise<Received> {
    const { verifyRegistration } = await loadVerifiers()
    const answered = await ceremonies.answer(ceremony)
    if (!answered) throw problem('registration_challenge_expired')
    const credential = asCredential(input)
    if (!credential) throw problem('registration_not_verified')

    const { isChallenge, isConditional, form } = answered
    const expected = { ...rp, isChallenge, requireUserPresence: !isConditional }
    const made = await verifyRegistration(credential, expected).catch((error) => {
      logRefusal(log, 'registration', error)
      throw problem('registration_not_verified')
    })
    // Nobody was asked, whatever the authenticator says.
    const userVerified = made.userVerified && !isConditional
    return { made: { ...made, userVerified }, credential, form }
  }

  /** Adds a passkey to a user, whose row the transaction holds. Refuses one that any user has. */
  async function store(
    user: User,
    name: string,
    { made, credential }: Received,
    tx: Tx,
  ): Promise<Passkey> {
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
}

/** A new passkey, and the form that was given to `beginSignup`. */
type Received = { made: NewCredential; credential: Credential; form: string | null }

type Wanted = {
  user: { id: string; name: string; displayName: string }
  challenge: string
  existing: readonly Passkey[]
}

/** `PublicKeyCredentialCreationOptions` as JSON. */
const creationOptions = (rp: RelyingParty, { user, challenge, existing }: Wanted) => ({
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

/** Unsigned hints of the browser, only for display and for finding the authenticator. */
function hintsIn({ response, clientExtensionResults }: Credential) {
  const extensions = isObject(clientExtensionResults) ? clientExtensionResults : {}
  const properties = isObject(extensions.credProps) ? extensions.credProps : {}
  return {
    transports: JSON.stringify(readTransports(response.transports)),
    // True by default, as in dj-rest-auth, since the options asked for it.
    discoverable: flagOf(properties.rk !== false),
  }
}
