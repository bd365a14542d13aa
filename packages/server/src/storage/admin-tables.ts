import type { Generated } from 'kysely'

export type AdminTables = {
  /** One row for each person at the admin pages. Deleting the row ends the session. */
  admin_sessions: {
    digest: string
    user_id: number
    /** The user's epoch at the login. A new password voids the session. */
    epoch: number
    created_at: number
    last_used_at: number
    /**
     * When the person last showed a second factor or a verified passkey. Null if they have none yet:
     * such a session can only set one up.
     */
    proved_at: number | null
    expires_at: number
  }

  /** The keys of programs that use the admin API. Deleting the row revokes the key. */
  admin_keys: {
    id: Generated<number>
    name: string
    digest: string
    /** A JSON array. */
    scopes: string
    /** Who made it, in words. */
    created_by: string
    created_at: number
    /** Null if it never expires. */
    expires_at: number | null
    /** Exact to a minute. */
    last_used_at: number | null
  }
}
