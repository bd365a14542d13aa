import { type Device, NEVER_HERE } from '../../core/identity.ts'
import { digest } from '../../crypto/digests.ts'
import { randomHex, randomToken } from '../../kernel/random.ts'
import { givesKeyPerLogin } from '../../settings/authentication-classes.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Tx } from '../../storage/handle.ts'
import type { LoginMethod } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import { addLogin, changeLogin, endSurplusLogins, type NewLogin } from './logins-queries.ts'

/** The session for the client. The database stores only a digest of its id. */
export type NewSession = { id: string; loginId: number }

/** How somebody logged in, and from where. */
type LoginStart = { method: LoginMethod; device: Device; isVerifiedPasskey: boolean }

/** A login that began at another service. It is not fresh, and its device is unknown. */
export const ELSEWHERE = {
  method: 'unknown',
  address: null,
  user_agent: null,
  authenticated_at: NEVER_HERE,
} as const

const SESSION_BYTES = 24
const KEY_BYTES = 20

/** Starts logins. The transaction must hold the user's row, since the oldest of too many logins end. */
export function createStartLogins({ clock, settings }: Pick<Context, 'clock' | 'settings'>) {
  const loginAge = longestAge(settings)

  return {
    async start(userId: number, how: LoginStart, tx: Tx): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      return { id, loginId: await add(userId, how, digest(id), tx) }
    },

    /** Gives the login a new session id. The old one is void. */
    async rotate(loginId: number, tx: Tx): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      await changeLogin(tx, loginId, { session_digest: digest(id) })
      return { id, loginId }
    },

    /** Starts a login without a session cookie. Returns its id. */
    startBare: (userId: number, how: LoginStart, tx: Tx): Promise<number> =>
      add(userId, how, null, tx),

    /** Makes a key that belongs to this login alone. The database stores only its digest. */
    async giveKey(loginId: number, tx: Tx): Promise<string> {
      const key = randomHex(KEY_BYTES)
      await changeLogin(tx, loginId, { key_digest: digest(key) })
      return key
    },

    /** Starts a login for a refresh token of another service. */
    adopt: (userId: number, tx: Tx): Promise<number> =>
      addRow(tx, { ...ELSEWHERE, user_id: userId, session_digest: null }),
  }

  /** A login is fresh from its start. */
  function add(
    userId: number,
    { method, device, isVerifiedPasskey }: LoginStart,
    session_digest: string | null,
    tx: Tx,
  ): Promise<number> {
    return addRow(tx, {
      user_id: userId,
      method,
      session_digest,
      address: device.address,
      user_agent: device.userAgent,
      authenticated_at: clock.now(),
      ...(isVerifiedPasskey && { verified_passkey: 1 as const }),
    })
  }

  async function addRow(
    tx: Tx,
    columns: Omit<NewLogin, 'created_at' | 'last_used_at' | 'expires_at'>,
  ): Promise<number> {
    const now = clock.now()
    const times = {
      created_at: now,
      last_used_at: now,
      expires_at: Math.min(now + loginAge, NO_END),
    }
    const added = await addLogin(tx, { ...columns, ...times })
    await endSurplusLogins(tx, columns.user_id, now)
    return added.id
  }
}

/** The `expires_at` of a login whose key never expires: the last moment that a `Date` can hold. */
export const NO_END = 8.64e15

/** A login is stored for as long as any credential of it can be valid. */
function longestAge(settings: Settings): number {
  const { SESSION_COOKIE_AGE, REST_AUTH, SIMPLE_JWT, TOKEN_LIFETIME } = settings
  const { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } = SIMPLE_JWT
  return Math.max(
    REST_AUTH.SESSION_LOGIN ? SESSION_COOKIE_AGE : 0,
    REST_AUTH.USE_JWT ? REFRESH_TOKEN_LIFETIME + ACCESS_TOKEN_LIFETIME : 0,
    givesKeyPerLogin(settings) ? (TOKEN_LIFETIME ?? NO_END) : 0,
  )
}
