import type { Kysely } from 'kysely'
import { type SealedStore, sealedStore } from './features/administration/sealed-store.ts'
import { type AuditStore, auditStore } from './features/audit/audit-store.ts'
import { type RefreshTokensStore, refreshTokensStore } from './features/jwt/refresh-tokens-store.ts'
import { type LimitsStore, limitsStore } from './features/limits/limits-store.ts'
import { type OutboxStore, outboxStore } from './features/mail/outbox-store.ts'
import { type MfaChallengesStore, mfaChallengesStore } from './features/mfa/challenges-store.ts'
import { type RecoveryCodesStore, recoveryCodesStore } from './features/mfa/recovery-codes-store.ts'
import { type TotpStore, totpStore } from './features/mfa/totp-store.ts'
import {
  type PasskeyChallengesStore,
  passkeyChallengesStore,
} from './features/passkeys/passkey-challenges-store.ts'
import { type PasskeysStore, passkeysStore } from './features/passkeys/passkeys-store.ts'
import { type EmailKeysStore, emailKeysStore } from './features/registration/email-keys-store.ts'
import { type LoginsStore, loginsStore } from './features/sessions/logins-store.ts'
import {
  type SocialAccountsStore,
  socialAccountsStore,
} from './features/social/social-accounts-store.ts'
import { type SpentProofsStore, spentProofsStore } from './features/social/spent-proofs-store.ts'
import { type TokensStore, tokensStore } from './features/tokens/tokens-store.ts'
import { type UsersStore, usersStore } from './features/users/users-store.ts'
import type { Database } from './storage/schema.ts'
import { transaction } from './storage/transaction.ts'

export type Stores = {
  users: UsersStore
  tokens: TokensStore
  logins: LoginsStore
  refreshTokens: RefreshTokensStore
  limits: LimitsStore
  outbox: OutboxStore
  audit: AuditStore
  emailKeys: EmailKeysStore
  totp: TotpStore
  recoveryCodes: RecoveryCodesStore
  mfaChallenges: MfaChallengesStore
  passkeys: PasskeysStore
  passkeyChallenges: PasskeyChallengesStore
  socialAccounts: SocialAccountsStore
  spentProofs: SpentProofsStore
  sealed: SealedStore
  /**
   * All or nothing, and perhaps more than one try; see `storage/transaction.ts` for the order of
   * locks. Inside, use only the stores that are handed in; never hash, mail or fetch.
   */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>
}

/** For what happens outside the database: only once it is sure that it was not in vain. */
export type AfterCommit = (effect: () => void) => void

const atOnce: AfterCommit = (effect) => effect()

/** Over the whole database, or over one transaction. `onMail` is called when mails wait. */
export function createStores(
  db: Kysely<Database>,
  onMail: () => void = () => {},
  afterCommit: AfterCommit = atOnce,
): Stores {
  return {
    users: usersStore(db),
    tokens: tokensStore(db),
    logins: loginsStore(db),
    refreshTokens: refreshTokensStore(db),
    limits: limitsStore(db),
    outbox: outboxStore(db, onMail, afterCommit),
    audit: auditStore(db, afterCommit),
    emailKeys: emailKeysStore(db),
    totp: totpStore(db),
    recoveryCodes: recoveryCodesStore(db),
    mfaChallenges: mfaChallengesStore(db),
    passkeys: passkeysStore(db),
    passkeyChallenges: passkeyChallengesStore(db),
    socialAccounts: socialAccountsStore(db),
    spentProofs: spentProofsStore(db),
    sealed: sealedStore(db),
    async transaction(work) {
      let effects = new Set<() => void>()
      const result = await transaction(db, (trx) => {
        // Of the try that is kept, and of no other.
        effects = new Set()
        return work(createStores(trx, onMail, (effect) => effects.add(effect)))
      })
      for (const effect of effects) effect()
      return result
    },
  }
}
