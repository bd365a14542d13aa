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
  totp_authenticators: TotpAuthenticatorsTable
  totp_activations: TotpActivationsTable
  recovery_codes: RecoveryCodesTable
  mfa_challenges: MfaChallengesTable
  passkey_owners: PasskeyOwnersTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  social_accounts: SocialAccountsTable
  spent_proofs: SpentProofsTable
}

type UsersTable = {
  id: Generated<number>
  username: string
  username_key: string
  /**
   * What the name looks like, where `USERNAME_SKELETONS` is on. Null for a name that was chosen
   * while it was off, and whose look-alike holds the skeleton since.
   */
  username_skeleton: string | null
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

/**
 * What happened to an account, which may be gone; `details` is JSON and holds no secrets. Of one
 * kind only the first few of a day are kept.
 */
type AuditEventsTable = {
  id: Generated<number>
  user_id: number
  at: number
  event: string
  details: string
  /** User, kind and day, on the first of them; null on the others. */
  day_key: Generated<string | null>
  /** On the first one: how many there were that day, kept or not. */
  times: Generated<number>
}

/** The links that confirm an address: each good once, and only while that is the user's address. */
type EmailKeysTable = {
  digest: string
  user_id: number
  email_key: string
  expires_at: number
}

/** The authenticator app of a user; whoever has a row here has MFA on. */
type TotpAuthenticatorsTable = {
  user_id: number
  sealed_secret: string
  /** The newest time step that a code was accepted for; it and every earlier one is spent. */
  last_step: number
  created_at: number
  last_used_at: number | null
}

/** A secret that was shown to a user and waits for its first code. */
type TotpActivationsTable = {
  digest: string
  user_id: number
  sealed_secret: string
  expires_at: number
}

/** The unused ones; using a code is deleting its row. */
type RecoveryCodesTable = {
  user_id: number
  /** Keyed, since a code is short enough to be guessed from a plain one. */
  digest: string
  sealed_code: string
  position: number
}

/** The first half of a login, which waits for its second factor. */
type MfaChallengesTable = {
  digest: string
  user_id: number
  /** The user's when it was made: a password change or a deactivation voids it. */
  epoch: number
  /** How the user proved himself the first time. */
  method: string
  tries_left: number
  expires_at: number
}

/** Whoever has ever begun to make a passkey. */
type PasskeyOwnersTable = {
  user_id: number
  /** What authenticators know the user by: 64 random bytes that tell nothing about him. */
  handle: string
}

type PasskeysTable = {
  id: Generated<number>
  user_id: number
  credential_id: string
  public_key: string
  sign_count: number
  /** Whether the authenticator had made sure of its user when the passkey was made. */
  user_verified: Flag
  backup_eligible: Flag
  backed_up: Flag
  discoverable: Flag
  /** A JSON array of texts. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** Ceremonies under way; ending one, well or not, is deleting its row. */
type PasskeyChallengesTable = {
  /** The purpose, and whose it is or which of the places for logins it has: `login:1234`. */
  key: string
  /** Of the challenge; for a login after that of its session. */
  digest: string
  /**
   * Whose passkey it must be: null for anybody's, 0 where the name that was given is nobody's. No
   * foreign key: checking it would take a time that tells the one from the other.
   */
  user_id: number | null
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
export type Passkey = Selectable<PasskeysTable>
export type PasskeyChallenge = Selectable<PasskeyChallengesTable>
export type SocialAccount = Selectable<SocialAccountsTable>
