import type { Generated, Selectable } from 'kysely'
import type { AdminTables } from './admin-tables.ts'
import type { DjangoTables } from './django-tables.ts'
import type { EventTables } from './event-tables.ts'
import type { LoginMethod, LoginTables } from './login-tables.ts'
import type { MailTables } from './mail-tables.ts'
import type { PasskeyTables } from './passkey-tables.ts'
import type { Flag, UserTables } from './user-tables.ts'

export type { LoginMethod } from './login-tables.ts'
export { type Flag, flagOf } from './user-tables.ts'

/**
 * Every table by its name. The others are in the `*-tables.ts` files beside this one. Columns work on
 * both databases: times are epoch milliseconds of our own clock, flags are 0 or 1, and names and
 * addresses have a folded copy (`…_key`) under a unique index.
 */
export type Database = UserTables &
  LoginTables &
  AdminTables &
  MailTables &
  EventTables &
  PasskeyTables &
  DjangoTables & {
    /**
     * Each row is a sliding window. The newest hits stand in one text of fixed-width times, newest
     * first.
     */
    limits: {
      key: string
      hits: string
      expires_at: number
    }

    /** Sealed mails that wait to be sent. The content is deleted after delivery. */
    outbox: {
      /** Random. Part of the Message-ID, so that a repeated mail is recognised. */
      id: string
      /**
       * The user whose account it is about. Null for the last letter to a user, who is gone, and for
       * letters that are only pretended.
       */
      user_id: number | null
      sealed_letter: string
      state: 'queued' | 'sent' | 'dead'
      attempts: number
      due_at: number
      created_at: number
      /** Names the try in progress, which ends before `due_at`. Null if there is none. */
      claim: Generated<string | null>
    }

    /**
     * What happened to an account, which may be deleted by now. `details` is JSON without secrets. Only
     * the first few events of a kind and day are kept.
     */
    audit_events: {
      id: Generated<number>
      user_id: number
      /** On the deletion of a user who had one. */
      user_uuid: Generated<string | null>
      at: number
      event: string
      details: string
      /** User, kind and day, on the first event; null on the others. */
      day_key: Generated<string | null>
      /** On the first event: how many happened that day, kept or not. */
      times: Generated<number>
      /** Null if the user caused it. */
      operator_kind: Generated<OperatorKind | null>
      /** The pk of the user, or the id of the admin key; null for commands and hosts. */
      operator_pk: Generated<string | null>
      /** Null if the operator's account is deleted. */
      operator_name: Generated<string | null>
      address: Generated<string | null>
      reason: Generated<string | null>
    }

    /** How often something happened on a day (UTC). */
    daily_figures: {
      /** When the day began. */
      day: number
      kind: 'sign_ups' | 'logins' | 'failures'
      count: number
    }

    /** The authenticator app of a user. A user with a row here has MFA on. */
    totp_authenticators: {
      user_id: number
      sealed_secret: string
      /**
       * The newest time step with an accepted code. Codes of this step and of earlier ones are refused.
       */
      last_step: number
      created_at: number
      last_used_at: number | null
    }

    /** A secret that was shown to a user but not yet confirmed by a code. */
    totp_activations: {
      digest: string
      user_id: number
      sealed_secret: string
      expires_at: number
    }

    /** Unused recovery codes. Using a code deletes its row. */
    recovery_codes: {
      user_id: number
      /**
       * A keyed digest: a code is so short that a plain digest could be reversed by trying all codes.
       */
      digest: string
      sealed_code: string
      position: number
    }

    /** Logins that have passed the first factor and wait for the second. */
    mfa_challenges: {
      digest: string
      user_id: number
      /** The user's epoch at that time. A password change or a deactivation voids the challenge. */
      epoch: number
      /** How the user passed the first factor. */
      method: LoginMethod
      /** The social account that the login has linked by its address, and that the factor confirms. */
      linked_account: number | null
      tries_left: number
      expires_at: number
    }

    /** The identity of a user at a provider: provider, issuer and subject, never the address. */
    social_accounts: {
      id: Generated<number>
      user_id: number
      provider: string
      issuer: string
      subject: string
      created_at: number
      last_login_at: number
      /**
       * 1 if the user's address was unproved when this was added, or their second factor has not confirmed a
       * link by the address. A reset or a login by code deletes it.
       */
      added_unproved: Generated<Flag>
    }

    /** Digests of provider codes and ID tokens that were used already. */
    spent_proofs: {
      digest: string
      expires_at: number
    }

    /** The processes that use this database. A row whose lease has ended belongs to a process that died. */
    latchkey_instances: {
      id: string
      /** A `mover` copies the database, and the others write nothing meanwhile. */
      role: 'service' | 'mover'
      /** 1 if a service has noticed the mover and refuses writes. */
      frozen: Flag
      /** By the clock of the database. */
      lease_until: number
    }

    /** Rows that a transaction updates to be the only one that does a certain thing. */
    latchkey_locks: { name: 'superusers' }
  }

type OperatorKind = 'cli' | 'host' | 'key' | 'person' | 'impersonation'

/** A row of `users`, with the folded copies that only lookups and searches need. */
export type UserRow = Selectable<Database['users']>
export type User = Omit<
  UserRow,
  'username_key' | 'username_skeleton' | 'email_key' | 'first_name_key' | 'last_name_key'
>
export type Passkey = Selectable<Database['passkeys']>
export type Invitation = Selectable<Database['invitations']>
export type EmailKey = Selectable<Database['email_keys']>
export type LoginCode = Selectable<Database['login_codes']>
export type SocialAccount = Selectable<Database['social_accounts']>
