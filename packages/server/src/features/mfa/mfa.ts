import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import { createTotp } from '../../crypto/totp.ts'
import type { Clock } from '../../kernel/clock.ts'
import { problem } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { Operator } from '../audit/operator.ts'
import type { Limits } from '../limits/limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import { revokeOtherCredentials } from '../tokens/revocation.ts'
import type { Identity } from '../users/identity.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import { stillSignedIn } from '../users/still-signed-in.ts'
import { createActivation } from './activation.ts'
import { createChallenges } from './challenges.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { createSecondFactor } from './second-factor.ts'
import type { TotpStore } from './totp-store.ts'
import { createWrongCodes } from './wrong-codes.ts'

export type Mfa = ReturnType<typeof createMfa>

type Needs = {
  stores: Stores
  audit: Audit
  outbox: Outbox
  limits: Limits
  provedAddress: ProvedAddress
  sealedBox: SealedBox
  keyedDigest: KeyedDigest
  settings: Settings
  clock: Clock
}

export function createMfa(needs: Needs) {
  const { stores, audit, outbox, limits, sealedBox, keyedDigest, settings, clock } = needs
  const { REST_AUTH, ACCOUNT } = settings
  const totp = createTotp({
    digits: REST_AUTH.MFA_TOTP_DIGITS,
    periodSeconds: REST_AUTH.MFA_TOTP_PERIOD,
  })
  const recoveryCodes = createRecoveryCodes({
    keyedDigest,
    sealedBox,
    count: REST_AUTH.MFA_RECOVERY_CODE_COUNT,
  })
  const wrongCodes = createWrongCodes(limits, ACCOUNT.RATE_LIMITS.mfa_failed)
  const secondFactor = createSecondFactor({
    totp,
    recoveryCodes,
    sealedBox,
    wrongCodes,
    audit,
    outbox,
    clock,
  })

  return {
    recoveryCodes,

    challenges: createChallenges({
      stores,
      secondFactor,
      audit,
      clock,
      lifetimeMs: REST_AUTH.MFA_EPHEMERAL_TOKEN_TIMEOUT,
    }),

    activation: createActivation({
      stores,
      totp,
      recoveryCodes,
      sealedBox,
      audit,
      outbox,
      provedAddress: needs.provedAddress,
      clock,
      issuer: REST_AUTH.MFA_TOTP_ISSUER,
    }),

    async isOn(userId: number, within: TotpStore = stores.totp): Promise<boolean> {
      return (await within.findOfUser(userId)) !== undefined
    },

    async status(userId: number) {
      const authenticator = await stores.totp.findOfUser(userId)
      const codesLeft = await stores.recoveryCodes.countOfUser(userId)
      return { authenticator, codesLeft }
    },

    async deactivate(identity: Identity, code: string, address: string): Promise<void> {
      const factor = await stores.transaction(async (tx) => {
        const user = await tx.users.lock(identity.user.id)
        const authenticator = user && (await tx.totp.findOfUser(user.id))
        if (!authenticator) throw problem('mfa_not_enabled')
        const given = { code, address, purpose: 'deactivate' } as const
        const proved = await secondFactor.prove(user, authenticator, given, tx)
        if (!proved) return null
        await forget(user, { by: proved }, tx)
        await revokeOtherCredentials(tx, identity, clock.now())
        return proved
      })
      if (!factor) throw problem('mfa_code_invalid')
    },

    /** By an operator, for a user who has lost every code; tells whether there was something. */
    reset: (user: User, operator: Operator, within: Stores): Promise<boolean> =>
      forget(user, { by: 'operator', ...operator }, within),

    unusedRecoveryCodes: (userId: number): Promise<string[]> =>
      recoveryCodes.unused(userId, stores.recoveryCodes),

    regenerateRecoveryCodes: (user: User): Promise<string[]> =>
      stores.transaction(async (tx) => {
        const { id: userId } = await stillSignedIn(user, tx)
        if (!(await tx.totp.findOfUser(userId))) throw problem('mfa_not_enabled')
        await audit.record({ userId, event: 'recovery_codes_regenerated' }, tx.audit)
        await outbox.notify(user, 'recovery-codes-regenerated', tx)
        return recoveryCodes.replace(userId, tx.recoveryCodes)
      }),
  }

  /** Logins that wait for a code die with it: nobody could tell any more what they wait for. */
  async function forget(user: User, details: Record<string, string>, tx: Stores): Promise<boolean> {
    if (!(await tx.totp.removeOfUser(user.id))) return false
    await tx.recoveryCodes.removeOfUser(user.id)
    await tx.mfaChallenges.removeOfUser(user.id)
    await audit.record({ userId: user.id, event: 'mfa_deactivated', details }, tx.audit)
    await outbox.notify(user, 'mfa-deactivated', tx)
    return true
  }
}
