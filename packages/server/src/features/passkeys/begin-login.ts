import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../storage/handle.ts'
import { type Identifier, identifierOf } from '../users/identifier.ts'
import type { Users } from '../users/users.ts'
import { type Challenges, NOBODY } from './challenges.ts'
import { createMadeUpCredentials, type Descriptor, descriptor } from './made-up-credentials.ts'
import { listPasskeysOfUser } from './passkeys-queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { transportsOf } from './transports.ts'

type Needs = {
  db: Db
  users: Users
  challenges: Challenges
  rp: RelyingParty
  settings: Pick<Settings, 'ACCOUNT'>
  secretKey: string
}

/** Whose passkeys are accepted; `userId` null means anybody's. */
type Allowed = { userId: number | null; credentials: Descriptor[] }

/** Makes the options for using a passkey (`PublicKeyCredentialRequestOptions`, as JSON). */
export function createBeginLogin(needs: Needs) {
  const { db, users, challenges, rp, settings, secretKey } = needs
  const madeUpFor = createMadeUpCredentials(secretKey)

  return async (given: { username: string; email: string }) => {
    rp.mustBeUsable()
    const named = identifierOf(users, settings.ACCOUNT.LOGIN_METHODS, given)
    const { userId, credentials } = named ? await passkeysOf(named) : anybodys

    const { challenge, sessionId } = await challenges.beginLogin(userId)
    return {
      challenge,
      timeout: rp.timeoutMs,
      rpId: rp.rpId,
      allowCredentials: credentials,
      userVerification: rp.userVerification,
      session_id: sessionId,
    }
  }

  /**
   * Does the same work for every name, known or not, so that neither the list nor the time tells
   * who exists.
   */
  async function passkeysOf(named: Identifier): Promise<Allowed> {
    const user = await named.find()
    const passkeys = await listPasskeysOfUser(db, user?.id ?? NOBODY)
    const real = passkeys.map((p) => descriptor(p.credential_id, transportsOf(p)))
    const madeUp = madeUpFor(named.key)
    return { userId: user?.id ?? NOBODY, credentials: real.length > 0 ? real : madeUp }
  }
}

const anybodys: Allowed = { userId: null, credentials: [] }
