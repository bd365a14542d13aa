import type { Generated } from 'kysely'
import type { Flag } from './user-tables.ts'

export type PasskeyTables = {
  /** Users who have ever begun to register a passkey. */
  passkey_owners: {
    user_id: number
    /** The name of the user for authenticators: 64 random bytes that tell nothing about the user. */
    handle: string
  }

  passkeys: {
    id: Generated<number>
    user_id: number
    credential_id: string
    public_key: string
    sign_count: number
    /** Whether the authenticator verified the user (PIN or fingerprint) when the passkey was made. */
    user_verified: Flag
    backup_eligible: Flag
    /** 0 until the first login, if another service made the passkey and did not keep the flag. */
    backup_known: Generated<Flag>
    backed_up: Flag
    discoverable: Flag
    /** A JSON array of texts. */
    transports: string
    name: string
    created_at: number
    last_used_at: number | null
    /** 1 if the user's address was unproved when this was added. A reset or a login by code deletes it. */
    added_unproved: Generated<Flag>
  }

  /** Ceremonies under way. Ending one, successful or not, deletes its row. */
  passkey_challenges: {
    /** The purpose, and the user or the seat (`core/seats.ts`): `login:1234`. */
    key: string
    /** The digest of the challenge. For a login, the digest of its session comes first. */
    digest: string
    /**
     * The user whose passkey is needed: null for any user, 0 if nobody has the given name. It is not
     * a foreign key: checking one takes time, which would tell whether the user exists.
     */
    user_id: number | null
    expires_at: number
    /**
     * What somebody without an account wants to register, as JSON. For a login, the id of a namesake whose
     * passkey is accepted, too. For a registration, `conditional` if the browser creates the passkey
     * without asking the user. Null otherwise.
     */
    form: Generated<string | null>
  }
}
