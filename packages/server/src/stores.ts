import type { Kysely } from 'kysely'
import { type AuditStore, auditStore } from './features/audit/audit-store.ts'
import { type LimitsStore, limitsStore } from './features/limits/limits-store.ts'
import { type OutboxStore, outboxStore } from './features/mail/outbox-store.ts'
import { type LoginsStore, loginsStore } from './features/sessions/logins-store.ts'
import {
  type SocialAccountsStore,
  socialAccountsStore,
} from './features/social/social-accounts-store.ts'
import { type SpentProofsStore, spentProofsStore } from './features/social/spent-proofs-store.ts'
import { type TokensStore, tokensStore } from './features/tokens/tokens-store.ts'
import { type UsersStore, usersStore } from './features/users/users-store.ts'
import type { Database } from './storage/schema.ts'

export type Stores = {
  users: UsersStore
  tokens: TokensStore
  logins: LoginsStore
  limits: LimitsStore
  outbox: OutboxStore
  audit: AuditStore
  socialAccounts: SocialAccountsStore
  spentProofs: SpentProofsStore
  /** All or nothing. Inside, use only the stores that are handed in; never hash, mail or fetch. */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>
}

/** Over the whole database, or over one transaction. */
export function createStores(db: Kysely<Database>): Stores {
  return {
    users: usersStore(db),
    tokens: tokensStore(db),
    logins: loginsStore(db),
    limits: limitsStore(db),
    outbox: outboxStore(db),
    audit: auditStore(db),
    socialAccounts: socialAccountsStore(db),
    spentProofs: spentProofsStore(db),
    transaction: (work) => db.transaction().execute((trx) => work(createStores(trx))),
  }
}
