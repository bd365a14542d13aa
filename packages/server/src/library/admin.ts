/** The operations of administration, for the program that embeds the service. */
export type Admin = {
  readonly users: {
    /** Finds users by a part of their names or address, page by page. */
    find(wanted?: FindUsers): Promise<AdminPage<AdminUser>>
    /** The user with their factors, logins, passkeys, connected accounts, mails and history. */
    show(input: { pk: UserPk }): Promise<AdminUserDetails>
    create(account: NewUser & Reason): Promise<AdminUser>
    /** Fields that are not given stay the same. */
    update(changes: UserChanges & ForUser): Promise<AdminUser>
    /** Logs the user out everywhere, and refuses further logins. */
    deactivate(input: ForUser): Promise<AdminUser>
    activate(input: ForUser): Promise<AdminUser>
    /** Ends one login or, without an `id`, all logins and the API token. */
    endLogins(input: ForUser & { id?: string }): Promise<AdminUser>
    /** Sets a new password, and logs the user out everywhere. */
    setPassword(input: ForUser & { password: string }): Promise<AdminUser>
    /** Mails a link with which the user can set a new password. */
    sendReset(input: ForUser): Promise<AdminUser>
    /** Treats the address as verified. */
    markVerified(input: ForUser): Promise<AdminUser>
    /**
     * Switches MFA off, or removes the passkeys that an operator has instead of it. Logs the user out
     * everywhere.
     */
    resetMfa(input: ForUser): Promise<AdminUser>
    /** The keys that the user made for programs (`API_KEYS`), without their secrets. */
    apiKeys(input: { pk: UserPk }): Promise<AdminPage<UserApiKey>>
    revokeApiKey(input: ForUser & { id: number | string }): Promise<void>
    /** Deletes the user and all their data. */
    delete(input: ForUser): Promise<void>
    /** Everything that is stored about the user. */
    export(input: ForUser): Promise<Record<string, unknown>>
  }
  readonly invitations: {
    /** Open invitations, and those that have expired lately, newest first. */
    list(page?: PageWanted): Promise<AdminPage<OpenInvitation>>
    /** Mails an invitation. The new user will have these groups and fields. */
    create(invitation: NewInvitation & Reason): Promise<OpenInvitation>
    /** Mails it again, with a new link. */
    resend(input: { id: number } & Reason): Promise<OpenInvitation>
    revoke(input: { id: number } & Reason): Promise<void>
  }
  readonly audit: {
    /** What happened, newest first. */
    find(wanted?: FindAudit): Promise<AdminPage<AuditRecord>>
  }
  readonly mails: {
    /** Mails that wait or were given up, oldest first. */
    list(page?: PageWanted): Promise<AdminPage<WaitingMail>>
    /** Sends a mail now, or with the id `all` every one. */
    retry(input: { id: string } & Reason): Promise<{ retried: number }>
  }
  readonly events: {
    /** Events that hooks and webhooks do not have yet, oldest first. */
    list(page?: PageWanted): Promise<AdminPage<WaitingEvent>>
    /** Delivers an event now, or with the id `all` every one. */
    retry(input: { id: string } & Reason): Promise<{ retried: number }>
  }
  readonly keys: { list(): Promise<AdminPage<KeyInUse>> }
  readonly findings: { list(): Promise<AdminPage<DeployFinding>> }
  readonly figures: { show(): Promise<ServiceFigures> }
}

/** Operations in the name of `host`, or of what `by` names. */
export type AdminOfHost = Admin & {
  /** Names the operator for the audit: a job, or the person who uses a tool of yours. */
  by(operator: string): Admin
}

/** The primary key of a user, as `GET user/` shows it. */
export type UserPk = number | string

type Reason = {
  /** Why, for the audit. */
  reason?: string
}
type ForUser = { pk: UserPk } & Reason

/** Which part of a list to return. */
export type PageWanted = {
  /** 50 by default, and at most 200. */
  limit?: number
  /** The `next` of the page before. */
  after?: string
}

/** A page may be shorter than its limit. `next` is null after the last one. */
export type AdminPage<T> = { results: T[]; next: string | null }

/** Which users to find. */
export type FindUsers = PageWanted & {
  q?: string
  state?: 'active' | 'inactive' | 'unverified' | 'staff' | 'superuser' | 'mfa' | 'no-mfa'
  /** When they joined, at the earliest. */
  since?: Date | string
  sort?: 'date_joined' | '-date_joined' | 'last_login' | '-last_login' | 'username' | '-username'
}

/** Which records of the audit to find. */
export type FindAudit = PageWanted & {
  user?: UserPk
  /** A name, the pk of a user, the id of a key, or a kind: `cli`, `host`, `key`, `person`. */
  operator?: string
  event?: string
  since?: Date | string
  until?: Date | string
}

/** What an operator changes of a user. */
export type UserChanges = {
  username?: string
  /** Empty: no address. A new address is unverified unless `verified` says otherwise. */
  email?: string
  verified?: boolean
  first_name?: string
  last_name?: string
  /** One of `LANGUAGES`. */
  language?: string
  is_staff?: boolean
  is_superuser?: boolean
  groups?: readonly string[]
  /** Values of `USER_FIELDS`. */
  fields?: Readonly<Record<string, unknown>>
}

/** A user to create. */
export type NewUser = Omit<UserChanges, 'username'> & {
  username: string
  /** Without one, the user cannot log in with a password. */
  password?: string
  active?: boolean
}

/** A user, as operators see them. */
export type AdminUser = {
  pk: UserPk
  username: string
  email: string
  email_verified: boolean
  first_name: string
  last_name: string
  language: string | null
  is_active: boolean
  is_staff: boolean
  is_superuser: boolean
  groups: string[]
  date_joined: string
  last_login: string | null
  has_password: boolean
  mfa: boolean
  fields: Record<string, unknown>
}

/** A key that a user made for a program, without its secret. */
export type UserApiKey = {
  id: number
  name: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** A user with everything that belongs to them, without secrets. */
export type AdminUserDetails = AdminUser & {
  second_factor: Record<string, unknown>
  logins: Record<string, unknown>[]
  passkeys: Record<string, unknown>[]
  /** With `API_KEYS`. */
  api_keys?: UserApiKey[]
  social_accounts: Record<string, unknown>[]
  pending_confirmations: Record<string, unknown>[]
  mails: Record<string, unknown>[]
  history: AuditRecord[]
}

/** An address to invite. Requires `ACCOUNT.SIGNUP` to be `invited`. */
export type NewInvitation = Pick<UserChanges, 'groups' | 'fields'> & { email: string }

/** An invitation, without its key. */
export type OpenInvitation = {
  id: number
  email: string
  created_at: string
  expires_at: string
  groups: string[]
  /** The username of the user who invites; null if an operator does. */
  invited_by: string | null
}

/** Something that happened, and who caused it. */
export type AuditRecord = {
  id: number
  at: string
  event: string
  /** The pk; null if the event is about no user. */
  user: UserPk | null
  /** Null if the user caused it. */
  operator: { kind: string; pk: string | null; name: string | null } | null
  address: string | null
  reason: string | null
  details: Record<string, string | number>
  times_that_day: number
}

type Waiting = {
  id: string
  /** `queued`, or `dead` if it was given up. */
  state: string
  attempts: number
  created_at: string
  due_at: string | null
}

/** A mail that waits, or was given up. */
export type WaitingMail = Waiting & { to: string | null; letter: string | null }

/** An event that waits for its receiver, or was given up. */
export type WaitingEvent = Waiting & { type: string; receiver: string | null }

/** A key of the service, without its value. */
export type KeyInUse = { use: string; id: string | null; algorithm: string; since: string | null }

/** A setting that is not safe for production, and how to mend it. */
export type DeployFinding = { setting: string; finding: string; mend: string }

/** The number of users, and what happened on each of the last 30 days. */
export type ServiceFigures = {
  users: number
  days: { day: string; sign_ups: number; logins: number; failures: number }[]
}
