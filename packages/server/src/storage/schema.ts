import type { Generated, Selectable } from 'kysely'

/**
 * Every table on one page. Portable columns only: times are epoch milliseconds of our own clock,
 * flags are 0 or 1, names and addresses have a folded copy (`…_key`) under a unique index.
 */
export type Database = {
  users: UsersTable
  tokens: TokensTable
  logins: LoginsTable
  spent_refresh_tokens: SpentRefreshTokensTable
  limits: LimitsTable
  outbox: OutboxTable
  audit_events: AuditEventsTable
  email_keys: EmailKeysTable
  social_accounts: SocialAccountsTable
  spent_proofs: SpentProofsTable
}

type UsersTable = {
  id: Generated<number>
  username: string
  username_key: string
  /** Empty when the user has no address; then the key is null, so that many may have none. */
  email: string
  email_key: string | null
  email_verified: Flag
  first_name: string
  last_name: string
  password: string
  is_active: Flag
  /** Grows with every change that voids what was proved before: password, deactivation. */
  epoch: Generated<number>
  joined_at: number
  last_login_at: number | null
  /** When credentials of the user were last revoked; older tokens of elsewhere are void. */
  revoked_at: Generated<number | null>
}

/** The one API token of a user: a digest to find it by, a sealed copy to hand it out again. */
type TokensTable = {
  user_id: number
  digest: string
  sealed_key: string
  created_at: number
}

/** One row for each login that lives; ending a login is deleting its row. */
type LoginsTable = {
  id: Generated<number>
  user_id: number
  /** How the user proved himself. */
  method: string
  session_digest: string | null
  created_at: number
  expires_at: number
}

/**
 * Refresh tokens that were rotated or logged out, until they expire by themselves. Those that are
 * still good have no row: their signature and their login say so.
 */
type SpentRefreshTokensTable = {
  /** Of the `jti`. */
  digest: string
  /** The family; none for a token made elsewhere that was never rotated here. */
  login_id: number | null
  /** Only where a grace asks for the very same successor again. */
  sealed_successor: string | null
  spent_at: number
  expires_at: number
}

/** A sliding window each: the newest hits as one text of fixed-width times, newest first. */
type LimitsTable = {
  key: string
  hits: string
  expires_at: number
}

/** Mails that wait to be sent, sealed; emptied once they are delivered. */
type OutboxTable = {
  /** Random; part of the Message-ID, so that a repeat is recognised. */
  id: string
  sealed_letter: string
  state: 'queued' | 'sent' | 'dead'
  attempts: number
  due_at: number
  created_at: number
}

/** What happened to an account; `details` is JSON and holds no secrets. */
type AuditEventsTable = {
  id: Generated<number>
  user_id: number
  at: number
  event: string
  details: string
}

/** The links that confirm an address: each good once, and only while that is the user's address. */
type EmailKeysTable = {
  digest: string
  user_id: number
  email_key: string
  expires_at: number
}

/** Who a user is elsewhere: never the address, always provider, issuer and subject. */
type SocialAccountsTable = {
  id: Generated<number>
  user_id: number
  provider: string
  issuer: string
  subject: string
  created_at: number
  last_login_at: number
}

/** Codes and ID tokens of providers that were used already, by their digests. */
type SpentProofsTable = {
  digest: string
  expires_at: number
}

export type Flag = 0 | 1
export type User = Selectable<UsersTable>
export type SocialAccount = Selectable<SocialAccountsTable>
