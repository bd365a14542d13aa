import type {
  AdminPage,
  AdminUser,
  AdminUserDetails,
  AuditRecord,
  DeployFinding,
  KeyInUse,
  NewProgramKey,
  OpenInvitation,
  ProgramKey,
  ServiceFigures,
  UserApiKey,
  UserPk,
  WaitingEvent,
  WaitingMail,
} from '../kernel/admin-answers.ts'

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
    /** Ends one login or, without an `id`, all logins and the token key. */
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
    /** Open invitations, and those that have expired recently, newest first. */
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
  readonly mails: Deliveries<WaitingMail>
  /** Events for hooks and webhooks. */
  readonly events: Deliveries<WaitingEvent>
  readonly adminKeys: {
    /** The keys of programs that use the admin API, without their secrets. */
    list(): Promise<AdminPage<ProgramKey>>
    /** Makes a key. Its secret is in this answer only. */
    create(key: ProgramKeyWanted & Reason): Promise<NewProgramKey>
    /** The next request with it is refused. */
    revoke(input: { id: number } & Reason): Promise<void>
  }
  readonly keys: { list(): Promise<AdminPage<KeyInUse>> }
  readonly findings: { list(): Promise<AdminPage<DeployFinding>> }
  readonly figures: { show(): Promise<ServiceFigures> }
}

/** Operations by the operator `host`, or by the one that `by` names. */
export type AdminOfHost = Admin & {
  /** Names the operator for the audit: a job, or the person who uses a tool of yours. */
  by(operator: string): Admin
}

type Deliveries<Waiting> = {
  /** Those that wait or were given up, oldest first. */
  list(page?: PageWanted): Promise<AdminPage<Waiting>>
  /** Delivers one now, or all of them with the id `all`. */
  retry(input: { id: string } & Reason): Promise<{ retried: number }>
}

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

/** Which users to find. */
export type FindUsers = PageWanted & {
  /** A part of the username, the address, or the first and last name. */
  q?: string
  state?: 'active' | 'inactive' | 'unverified' | 'staff' | 'superuser' | 'mfa' | 'no-mfa'
  /** When they joined, at the earliest. */
  since?: Date | string
  sort?: 'date_joined' | '-date_joined' | 'last_login' | '-last_login' | 'username' | '-username'
}

/** Which records of the audit to find. */
export type FindAudit = PageWanted & {
  user?: UserPk
  /**
   * A name, the pk of a user, the id of a key, or a kind: `cli`, `host`, `key`, `person`,
   * `impersonation`.
   */
  operator?: string
  /** Such as `user_deactivated`. */
  event?: string
  /** The earliest time. A date means its beginning in UTC. */
  since?: Date | string
  /** Only what happened before that time. */
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

/** An address to invite. Requires `ACCOUNT.SIGNUP` to be `invited`. */
export type NewInvitation = Pick<UserChanges, 'groups' | 'fields'> & { email: string }

/** A key for a program that uses the admin API. */
export type ProgramKeyWanted = {
  name: string
  scopes: readonly ('read' | 'audit' | 'mails' | 'users')[]
  /** Such as `90d`, or a date or time. Without it, the key never expires. */
  expires?: string
}
