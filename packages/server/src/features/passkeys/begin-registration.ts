import { offeredAlgorithms } from '../../crypto/webauthn/offered-algorithms.ts'
import { randomToken } from '../../kernel/random.ts'
import { problem } from '../../problems.ts'
import type { User } from '../../storage/schema.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Challenges } from './challenges.ts'
import { descriptor } from './made-up-credentials.ts'
import type { PasskeysStore } from './passkeys-store.ts'
import type { RelyingParty } from './relying-party.ts'
import { transportsOf } from './transports.ts'

type Needs = {
  store: PasskeysStore
  challenges: Challenges
  rp: RelyingParty
  provedAddress: ProvedAddress
}

const HANDLE_BYTES = 64
/** They are all listed whenever somebody names their owner, so there is an end to them. */
const PASSKEYS_MAX = 100

export const tooManyPasskeys = () => problem('too_many_passkeys', { max: PASSKEYS_MAX })

/** What a browser needs to make a passkey (`PublicKeyCredentialCreationOptions`, as JSON). */
export const createBeginRegistration =
  ({ store, challenges, rp, provedAddress }: Needs) =>
  async (user: User) => {
    rp.mustBeUsable()
    provedAddress.mustBeThere(user)
    const existing = await store.listOfUser(user.id)
    if (existing.length >= PASSKEYS_MAX) throw tooManyPasskeys()

    await store.addOwner(user.id, randomToken(HANDLE_BYTES))
    const { handle } = await store.findOwner(user.id)
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

const displayNameOf = ({ first_name, last_name, username }: User): string =>
  `${first_name} ${last_name}`.trim() || username
