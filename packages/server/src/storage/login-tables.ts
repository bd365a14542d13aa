import type { Generated } from 'kysely'
import type { Flag } from './user-tables.ts'

/** How a user logged in. A second factor does not change it. */
export type LoginMethod = 'password' | 'registration' | 'social' | 'passkey' | 'code'

export type LoginTables = {
  /** The API token of a user: a digest to find it by, and a sealed copy to return it again. */
  tokens: {
    user_id: number
    digest: string
    sealed_key: string
    created_at: number
    last_used_at: number
    /** The newest login that returned it, or a later proof by `reauthenticate/`. */
    authenticated_at: number
  }

  /** The keys that users make for programs. Deleting the row revokes the key. */
  api_keys: {
    id: Generated<number>
    user_id: number
    name: string
    digest: string
    /** A JSON array. */
    scopes: string
    created_at: number
    /** Null if it never expires. */
    expires_at: number | null
    /** Exact to a minute; 0 if never. */
    last_used_at: Generated<number>
    /** 1 if the user's address was unproved when this was added. A reset or a login by code deletes it. */
    added_unproved: Generated<Flag>
  }

  /** One row for each active login. Deleting the row ends the login. */
  logins: {
    id: Generated<number>
    user_id: number
    /** `unknown` if it began at another service, `impersonation` if an operator uses the account. */
    method: LoginMethod | 'unknown' | 'impersonation'
    session_digest: string | null
    /** Of the key that belongs to this login alone (`TOKEN_CREATOR`). */
    key_digest: Generated<string | null>
    /** 1 if it began with a passkey that verified its user, which is two factors. */
    verified_passkey: Generated<Flag>
    created_at: number
    expires_at: number
    /** Null for logins of before these were stored, and of tokens of other services. */
    address: string | null
    user_agent: string | null
    /** Exact to a minute. */
    last_used_at: number
    /** The start of the login, or a later proof; 0 if nobody has proved anything here. */
    authenticated_at: number
  }

  /** A login that an operator uses. The row stays until the end is in the audit. */
  impersonations: {
    login_id: number
    user_id: number
    operator_id: number
    /** As they were in the operator's row. If one has changed, the operator's logins were ended. */
    operator_epoch: number
    operator_revoked_at: number | null
    /** Where the operator asked from. */
    address: string | null
    reason: string
    expires_at: number
    /** The link that starts a session. Null after it was used. */
    link_digest: string | null
    link_until: number
  }

  /**
   * The devices that a user has logged in from, so that a login from another one can be reported. The
   * digest is keyed: it tells nothing about browser or address.
   */
  known_devices: {
    digest: string
    user_id: number
    expires_at: number
  }

  spent_refresh_tokens: SpentRefreshTokensTable
}

/**
 * Refresh tokens that were rotated or logged out, until they expire. A token that is still good has
 * no row: its signature and its login are enough.
 */
export type SpentRefreshTokensTable = {
  /** The digest of the `jti`. Tokens that were made and spent here begin with their expiry. */
  key: string
  /** The family. Null for a token of another service that was never rotated here. */
  login_id: number | null
  /**
   * Only with a successor, which is a token of the user, and without a login. A row without either is no
   * more than a digest of a random text.
   */
  user_id: number | null
  /** Only with a grace period, in which the same successor may be asked for again. */
  sealed_successor: string | null
  spent_at: number
  expires_at: number
}
