import type { Generated } from 'kysely'

export type Flag = 0 | 1

export const flagOf = (is: boolean): Flag => (is ? 1 : 0)

export type UserTables = {
  users: {
    id: Generated<number>
    /** The id on the wire, if users have UUIDs there. The integer key is then internal. */
    uuid: Generated<string | null>
    username: string
    username_key: string
    /**
     * What the name looks like, if `USERNAME_SKELETONS` is on. Null if the name was chosen while it
     * was off and an older name already has the skeleton.
     */
    username_skeleton: string | null
    /**
     * Empty if the user has no address. The key is then null, so that several users may have none.
     */
    email: string
    email_key: string | null
    email_verified: Flag
    /**
     * Grows with every change of the address. Links and codes that were mailed before stay void, even
     * if the user returns to the former address.
     */
    email_epoch: Generated<number>
    first_name: string
    last_name: string
    /** Folded copies, for the search. */
    first_name_key: Generated<string>
    last_name_key: Generated<string>
    /** A tag such as `de`. Null if the user has chosen none: then the usual one of the service. */
    language: Generated<string | null>
    password: string
    is_active: Flag
    is_staff: Generated<Flag>
    is_superuser: Generated<Flag>
    /** A JSON array of texts. */
    group_names: Generated<string>
    /** The user's values of the fields in `USER_FIELDS`: a JSON object by their names. */
    extra: Generated<string>
    /**
     * Grows with every change that voids earlier proofs, such as a new password or a deactivation.
     */
    epoch: Generated<number>
    joined_at: number
    last_login_at: number | null
    /**
     * When the credentials of the user were last revoked. Older tokens made by other services are
     * void.
     */
    revoked_at: Generated<number | null>
    /**
     * When the user was first asked to set up a second factor (`MFA_REQUIRED`). The grace period begins
     * then, and never again.
     */
    mfa_asked_at: Generated<number | null>
  }

  /** Who has which value of a field that must be unique. Nobody holds null or blank. */
  unique_user_fields: {
    name: string
    /** Of the value as JSON, since an index takes no long text. */
    digest: string
    user_id: number
  }

  /** Unique fields of which every stored value has its row in `unique_user_fields`. */
  covered_user_fields: {
    name: string
  }

  /** The kinds of password hashes that users have, or have had. */
  hash_kinds: {
    /** Scheme and cost, save for the rounds. */
    key: string
    /** The most rounds of this kind. */
    rounds: number
    /** A hash of this kind with that many rounds, which nobody has. */
    specimen: string
  }
}
