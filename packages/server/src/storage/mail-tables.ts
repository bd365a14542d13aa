import type { Generated } from 'kysely'

/* What is proved by a mail that only the owner of an address gets. */

export type MailTables = {
  /** Keys of the links that prove an address. Each works once. */
  email_keys: {
    digest: string
    user_id: number
    /**
     * `verify` confirms the address that the user has, and works only while it is theirs. `change`
     * gives the user this address instead of the one they have. A user has at most one of these.
     */
    purpose: Generated<'verify' | 'change'>
    email_key: string
    /** The user's epoch at that time. A password change or a deactivation voids a change. */
    epoch: Generated<number>
    expires_at: number
  }

  /** Keys to registration. Each works once, for one address. */
  invitations: {
    id: Generated<number>
    /** Another text if the invitation is only pretended, since somebody has the address already. */
    digest: string
    /** The user who invites; 0 if an operator does. A user invites an address once at a time. */
    user_id: number
    email_key: string
    /** What the new user will have: JSON. */
    group_names: string
    fields: string
    created_at: number
    expires_at: number
  }

  /** Logins by a code that was mailed. A row is written for unknown accounts, too. */
  login_codes: {
    /** The seat (`core/seats.ts`), which follows from the id of the session. */
    place: number
    session_digest: string
    /**
     * 0 if nobody has the given name. It is not a foreign key: checking one takes time, which would
     * tell whether the user exists.
     */
    user_id: number
    /** Wrong codes are counted under this. It does not reveal the name. */
    account: string
    /**
     * A keyed digest of the code, its session, and the user's address and epoch. A change of one of
     * them voids the code. A plain digest could be reversed by trying all codes. `spent` or
     * `unsent` if there is no code. Empty if this session accepts the codes that were mailed to the
     * account earlier.
     */
    code_digest: string
    tries_left: number
    /** The end of the session. */
    session_until: number
    /** The end of the code, which sessions that begin later may use. */
    expires_at: number
  }
}
