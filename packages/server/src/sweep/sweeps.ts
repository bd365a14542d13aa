import type { Clock } from '../kernel/clock.ts'
import type { Stores } from '../stores.ts'
import type { Sweep } from './sweeper.ts'

/** What decides by itself how long it is kept. */
type Keepers = Record<'delivery' | 'audit', { forgetOld: Sweep['forget'] }>

/** Every table that grows with requests. */
export function sweepsOf(stores: Stores, { delivery, audit }: Keepers, clock: Clock): Sweep[] {
  const expired =
    (forget: (now: number, most: number) => Promise<number>): Sweep['forget'] =>
    (most) =>
      forget(clock.now(), most)

  return [
    { table: 'passkey_challenges', forget: expired(stores.passkeyChallenges.forgetExpired) },
    { table: 'limits', forget: expired(stores.limits.forgetExpired) },
    { table: 'outbox', forget: delivery.forgetOld },
    { table: 'spent_proofs', forget: expired(stores.spentProofs.forgetExpired) },
    { table: 'mfa_challenges', forget: expired(stores.mfaChallenges.forgetExpired) },
    { table: 'totp_activations', forget: expired(stores.totp.forgetExpiredActivations) },
    { table: 'email_keys', forget: expired(stores.emailKeys.forgetExpired) },
    { table: 'spent_refresh_tokens', forget: expired(stores.refreshTokens.forgetExpired) },
    { table: 'logins', forget: expired(stores.logins.forgetExpired) },
    { table: 'audit_events', forget: audit.forgetOld },
  ]
}
