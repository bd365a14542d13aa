import { offeredAlgorithms } from '../../crypto/webauthn/offered-algorithms.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Challenges } from './challenges.ts'
import { descriptor } from './made-up-credentials.ts'
import { addOwnerIfNew, findOwner, listPasskeysOfUser } from './passkeys-queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { transportsOf } from './transports.ts'

type Needs = {
  db: Db
  challenges: Challenges
  rp: RelyingParty
  provedAddress: ProvedAddress
}

const HANDLE_BYTES = 64
/** Every login that names the owner lists all of them, so their number is bounded. */
const PASSKEYS_MAX = 100

export const tooManyPasskeys = () => problem('too_many_passkeys', { max: PASSKEYS_MAX })

/** Makes the options for registering a passkey (`PublicKeyCredentialCreationOptions`, as JSON). */
export function createBeginRegistration({ db, challenges, rp, provedAddress }: Needs) {
  return async (user: User) => {
    rp.mustBeUsable()
    provedAddress.mustBeThere(user)
    const existing = await listPasskeysOfUser(db, user.id)
    if (existing.length >= PASSKEYS_MAX) throw tooManyPasskeys()

    const handle = await handleOf(user)
    return {
      rp: { id: rp.rpId, name: rp.name },
      user: { id: handle, name: user.username, displayName: displayNameOf(user) },
      challenge: await challenges.beginRegistration(user.id),
      pubKeyCredParams: offeredAlgorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: rp.timeoutMs,
      excludeCredentials: existing.map((p) => descriptor(p.credential_id, transportsOf(p))),
      authenticatorSelection: {
        residentKey: 'preferred' as const,
        requireResidentKey: false,
        userVerification: rp.userVerification,
      },
      attestation: 'none' as const,
      extensions: { credProps: true },
    }
  }

  /** The user's handle: random, and never changed. */
  async function handleOf({ id }: User): Promise<string> {
    await addOwnerIfNew(db, { user_id: id, handle: randomToken(HANDLE_BYTES) })
    const owner = await findOwner(db, id)
    if (!owner) throw problem('not_authenticated')
    return owner.handle
  }
}

const displayNameOf = ({ first_name, last_name, username }: User): string =>
  `${first_name} ${last_name}`.trim() || username
