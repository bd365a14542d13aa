import type { HookClaims } from '../../core/hooks.ts'
import type { Device } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { problem } from '../../kernel/problems.ts'
import { impersonationWays } from '../../settings/authentication-classes.ts'
import type { Tx } from '../../storage/handle.ts'
import type { LoginMethod, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { JwtPair } from '../jwt/pairs.ts'
import type { Challenges } from '../mfa/challenges.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import type { Impersonator } from '../sessions/impersonations.ts'
import type { NewSession } from '../sessions/start-logins.ts'

/** `Given` is what a completed login gives to the client. */
export type Gate<Given = Credentials> = {
  /** Whether the user may log in here at all. */
  admits(user: User): boolean
  /** Gives only a challenge if the second factor is still missing. */
  completeLogin(user: User, proof: Proof): Promise<LoginAnswer<Given>>
}

/** Who asks for a login: from where, and what the login replaces in this browser. */
export type Visitor = {
  /** Its client is the address that limits count. */
  turn: Turn
  device: Device
  /** The language to store for a new user. Null if the visitor asks for none. */
  language?: string | null
  sessionId: string | undefined
  refreshToken?: string | undefined
}

/** How the user proved who they are. */
export type Proof = {
  /** The method of the first factor, even after a second one. */
  method: LoginMethod
  /** True for two factors: a passkey with user verification, or a code after a first factor. */
  isStrong: boolean
  visitor: Visitor
  /** The social account that this login has linked by its address alone. */
  linkedAccount?: number | null
  /**
   * Whether they still have the passkey, social account or address. The transaction holds the row of
   * the user, `current`.
   */
  stillTheirs?(tx: Tx, current: User): Promise<boolean>
  /**
   * Stores what the proof has shown, such as a proved address, and returns the changed user. Runs in
   * the transaction of the login, so a hook that refuses leaves the account as it was. If the second
   * factor is still missing, it runs with the challenge: the hook is asked only after that factor.
   */
  apply?(tx: Tx, current: User): Promise<User>
}

/** The credentials of a completed login. The settings decide which. */
export type Credentials = {
  user: User
  token: string | null
  session: NewSession | null
  jwt: JwtPair | null
}

/** Who asks for the account of a user. */
type Impersonating = Impersonator & {
  /** Locks the user, and asks the rules. */
  open(tx: Tx): Promise<User>
}

export type LoginAnswer<Given = Credentials> = Given | { ephemeralToken: string }

/** Where a login leads: to the public API, or to the admin pages. */
export type Door<Given, Prepared> = {
  /** Users whom this door does not admit get the answer to a wrong password. */
  admits(user: User): boolean
  challenges: Challenges
  /** Refuses proofs that are enough elsewhere. */
  check?(user: User, proof: Proof): Promise<void>
  /** What has to be known before the transaction, such as the claims of the host. */
  prepare(user: User): Promise<Prepared>
  /** Makes the credentials. The transaction holds the user's row. Signing waits for the commit. */
  open(user: User, proof: Proof, tx: Tx): Promise<(prepared: Prepared) => Given>
}

/**
 * The gate: every way to log in ends here. Nothing else gives a credential to a client that has none.
 * A password change, a refresh and `end-others` only replace the credential of the request.
 *
 * A login makes three checks twice, because others change the answer while it runs:
 *
 * - The limit of failed logins (`failedLogins.guess`), before and after the guess.
 * - The second factor, below. The first check decides whether to ask for a code. The second is inside
 *   the transaction that hands out the credentials. It refuses a login without a code that began
 *   before the owner switched the factor on.
 * - The passkey, social account or address (`stillTheirs`), in the same transaction. The owner may have
 *   removed it while the hook of the host ran. A challenge is opened under the same lock, so that a
 *   removal ends it or is noticed.
 */
export function createGate<Given, Prepared>(
  house: UpToPasskeys,
  door: Door<Given, Prepared>,
): Gate<Given> {
  const { db, users, mfa, knownDevices, host, asHookUser, events, settings, metrics } = house
  const mustBeVerified = settings.ACCOUNT.EMAIL_VERIFICATION === 'mandatory'

  return {
    admits: door.admits,

    async completeLogin(user, proof) {
      const { method, isStrong, visitor } = proof
      const { address } = visitor.device
      if (!user.is_active || !door.admits(user)) throw problem('wrong_credentials')
      if (mustBeVerified && !user.email_verified) throw problem('email_not_verified')
      if (!isStrong && (await mfa.isOn(user.id))) {
        return { ephemeralToken: await transaction(db, (tx) => openChallenge(user, proof, tx)) }
      }
      await door.check?.(user, proof)
      await host.signingIn?.({ user: asHookUser(user), method, address })
      const prepared = await door.prepare(user)

      const give = await transaction(db, async (tx) => {
        const recorded = await users.recordLogin(user, tx)
        // The user was deactivated, deleted or got a new password during this login.
        if (!recorded || !door.admits(recorded)) throw problem('wrong_credentials')
        if (!isStrong && (await mfa.isOn(user.id, tx))) throw problem('wrong_credentials')
        const current = await accept(recorded, proof, tx)
        const made = await door.open(current, proof, tx)
        await knownDevices.noteLogin(current, visitor.device, tx)
        await events.note('signedIn', current, { method, address }, tx)
        return made
      })
      metrics.countLogin('success')
      return give(prepared)
    },
  }

  async function openChallenge(user: User, proof: Proof, tx: Tx): Promise<string> {
    const locked = await users.lock(user.id, tx)
    if (locked?.epoch !== user.epoch) throw problem('wrong_credentials')
    return door.challenges.open(await accept(locked, proof, tx), proof, tx)
  }

  /** The transaction holds the row of the user. */
  async function accept(current: User, proof: Proof, tx: Tx): Promise<User> {
    if ((await proof.stillTheirs?.(tx, current)) === false) throw problem('wrong_credentials')
    return proof.apply ? proof.apply(tx, current) : current
  }
}

/** The part of the gate that lets an operator use the account of a user. */
export function createImpersonate({ db, sessions, pairs, outbox, settings }: UpToPasskeys) {
  const { impersonations } = sessions
  const ways = impersonationWays(settings)

  return {
    /**
     * Gives the operator what the settings say: an access token that says who uses it, the key of a
     * link that starts a session once, or both. It is no login of the user: no hook hears of it, and
     * `last_login` stays.
     */
    async impersonate(user: User, { open, ...by }: Impersonating) {
      const claims = ways.token ? await pairs.hostClaims?.(user) : undefined
      return transaction(db, async (tx) => {
        const current = await open(tx)
        const started = await impersonations.start(current, by, tx)
        await outbox.notifyAlways(current, 'account-used', tx)
        const sign = () => pairs.impersonation(current, { ...by, ...started }, claims).token
        return { access: ways.token ? sign() : null, key: ways.link ? started.key : null }
      })
    },

    /** Starts the session of an impersonation. Returns null if the link is void. */
    openImpersonation: (key: string, { sessionId }: Pick<Visitor, 'sessionId'>) =>
      transaction(db, async (tx): Promise<NewSession | null> => {
        const loginId = await impersonations.openLink(key, tx)
        if (loginId === null) return null
        if (sessionId) await sessions.end(sessionId, tx)
        return sessions.rotate(loginId, tx)
      }),
  }
}

/** The door to the public API. The settings decide what a login gives. */
export function createPublicDoor(house: UpToPasskeys): Door<Credentials, HookClaims | undefined> {
  const { tokens, sessions, pairs, refreshTokens, mfa, settings } = house
  const { requiredFactor, operatorPasskey } = house
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return {
    admits: () => true,
    challenges: mfa.challenges,
    prepare: async (user) => (USE_JWT ? pairs.hostClaims?.(user) : undefined),

    async open(user, proof, tx) {
      const { method, visitor } = proof
      if (visitor.sessionId) await sessions.end(visitor.sessionId, tx)
      if (visitor.refreshToken) await refreshTokens.endReplaced(visitor.refreshToken, tx)
      const { isFactorDue, isVerifiedPasskey } = await requirement(user, proof, tx)
      const how = { method, device: visitor.device, isVerifiedPasskey }
      const session = SESSION_LOGIN ? await sessions.start(user.id, how, tx) : null
      const startBare = () => sessions.startBare(user.id, how, tx)
      const needsLogin = USE_JWT || tokens.perLogin
      const loginId = session?.loginId ?? (needsLogin ? await startBare() : null)
      const token = TOKEN_MODEL && !USE_JWT ? await keyOf(user, loginId, tx) : null
      return (claims) => {
        const jwt =
          USE_JWT && loginId !== null
            ? pairs.start(user, { loginId, isFactorDue, added: claims })
            : null
        return { user, token, session, jwt }
      }
    },
  }

  /** Whether this user must set up a second factor, and whether this login has shown two. */
  async function requirement(user: User, { method, isStrong }: Proof, tx: Tx) {
    // A registration is strong if its first credential is a verified passkey.
    const isByPasskey = isStrong && (method === 'passkey' || method === 'registration')
    const isAsked = requiredFactor.asksFactor || (isByPasskey && operatorPasskey.concerns(user))
    if (!isAsked) return { isFactorDue: false, isVerifiedPasskey: false }
    const has_factor = (await mfa.isOn(user.id, tx)) ? 1 : 0
    // With an app, the second factor may have been its code, after a weaker first one.
    const isVerifiedPasskey = isByPasskey && has_factor === 0
    const restriction = await requiredFactor.restrictionOf({ ...user, has_factor }, tx)
    return { isFactorDue: restriction !== undefined && !isVerifiedPasskey, isVerifiedPasskey }
  }

  function keyOf(user: User, loginId: number | null, tx: Tx): Promise<string> {
    const isOwn = tokens.perLogin && loginId !== null
    return isOwn ? sessions.giveKey(loginId, tx) : tokens.keyOf(user.id, tx)
  }
}
