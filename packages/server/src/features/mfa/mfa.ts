import type { Identity } from '../../core/identity.ts'
import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import { createTotp } from '../../crypto/totp.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Operator } from '../audit/operator.ts'
import type { Events } from '../events/events.ts'
import type { Limits } from '../limits/limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import { createActivation } from './activation.ts'
import { createChallenges } from './challenges.ts'
import { forgetExpiredChallenges, removeChallengesOfUser } from './challenges-queries.ts'
import { mfaTakeover } from './mfa-takeover.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { countCodesOfUser, removeCodesOfUser } from './recovery-codes-queries.ts'
import { sealedByMfa } from './sealed-by-mfa.ts'
import { type CodeGiven, createSecondFactor, type Factor } from './second-factor.ts'
import {
  findAuthenticatorOfUser,
  forgetExpiredActivations,
  removeAuthenticatorOfUser,
  takeActivationsOfUser,
} from './totp-queries.ts'
import { createTotpSecrets } from './totp-secrets.ts'
import { createWrongCodes } from './wrong-codes.ts'

export type Mfa = ReturnType<typeof createMfa>

type Needs = {
  db: Db
  users: Users
  revocation: Revocation
  audit: Audit
  outbox: Outbox
  events: Events
  limits: Limits
  provedAddress: ProvedAddress
  sealedBox: SealedBox
  keyedDigest: KeyedDigest
  settings: Pick<Settings, 'REST_AUTH' | 'ACCOUNT'>
  clock: Clock
  log: Log
}

export function createMfa(needs: Needs) {
  const { db, users, revocation, audit, outbox, limits, sealedBox, keyedDigest, clock } = needs
  const { events } = needs
  const { REST_AUTH, ACCOUNT } = needs.settings
  const totp = createTotp({
    digits: REST_AUTH.MFA_TOTP_DIGITS,
    periodSeconds: REST_AUTH.MFA_TOTP_PERIOD,
  })
  const recoveryCodes = createRecoveryCodes({
    keyedDigest,
    sealedBox,
    log: needs.log,
    count: REST_AUTH.MFA_RECOVERY_CODE_COUNT,
  })
  const secrets = createTotpSecrets(needs)
  const wrongCodes = createWrongCodes(limits, ACCOUNT.RATE_LIMITS.mfa_failed)
  const secondFactor = createSecondFactor({
    totp,
    recoveryCodes,
    secrets,
    wrongCodes,
    audit,
    outbox,
    clock,
  })

  return {
    sealed: sealedByMfa(sealedBox, recoveryCodes),
    takeover: mfaTakeover({ recoveryCodes, secrets }),

    challenges: createChallenges({
      db,
      users,
      secondFactor,
      audit,
      clock,
      lifetimeMs: REST_AUTH.MFA_EPHEMERAL_TOKEN_TIMEOUT,
    }),

    activation: createActivation({
      db,
      users,
      revocation,
      totp,
      recoveryCodes,
      sealedBox,
      secrets,
      audit,
      outbox,
      events,
      provedAddress: needs.provedAddress,
      clock,
      issuer: REST_AUTH.MFA_TOTP_ISSUER,
    }),

    async isOn(userId: number, within: Handle = db): Promise<boolean> {
      return (await findAuthenticatorOfUser(within, userId)) !== undefined
    },

    async status(userId: number) {
      const authenticator = await findAuthenticatorOfUser(db, userId)
      const codesLeft = await countCodesOfUser(db, userId)
      return { authenticator, codesLeft }
    },

    /** Spends a code of a user who is signed in. Returns what kind of code it was. */
    async prove(user: User, given: CodeGiven): Promise<Factor> {
      const factor = await transaction(db, async (tx) => {
        const current = await users.stillSignedIn(user, tx)
        const authenticator = await findAuthenticatorOfUser(tx, current.id)
        if (!authenticator) throw problem('mfa_not_enabled')
        return secondFactor.prove(current, authenticator, given, tx)
      })
      if (!factor) throw problem('mfa_code_invalid')
      return factor
    },

    async deactivate(identity: Identity, code: string, address: string): Promise<void> {
      const factor = await transaction(db, async (tx) => {
        const user = await users.lock(identity.user.id, tx)
        const authenticator = user && (await findAuthenticatorOfUser(tx, user.id))
        if (!authenticator) throw problem('mfa_not_enabled')
        const given = { code, address, purpose: 'deactivate' } as const
        const proved = await secondFactor.prove(user, authenticator, given, tx)
        if (!proved) return null
        await forget(user, { by: proved }, tx)
        await revocation.ofOtherCredentials(identity, tx)
        return proved
      })
      if (!factor) throw problem('mfa_code_invalid')
    },

    /** For an operator, if a user has lost every code. Returns whether MFA was on. */
    reset: (user: User, operator: Operator, tx: Tx): Promise<boolean> =>
      forget(user, { by: 'operator', ...operator }, tx),

    /** Everything, together with the counts of wrong codes. */
    async erase(user: User, tx: Tx): Promise<void> {
      await removeAll(user, tx)
      await wrongCodes.forgetUser(user.id, tx)
    },

    /**
     * Whether the code is right; true if MFA is off. Call it in a transaction that holds the user's
     * row. Commit that transaction even if the code is wrong, since it contains the count.
     */
    async accepts(user: User, given: CodeGiven, tx: Tx): Promise<boolean> {
      const authenticator = await findAuthenticatorOfUser(tx, user.id)
      if (!authenticator) return true
      return (await secondFactor.prove(user, authenticator, given, tx)) !== null
    },

    unusedRecoveryCodes: (userId: number): Promise<string[]> => recoveryCodes.unused(userId, db),

    regenerateRecoveryCodes: (user: User): Promise<string[]> =>
      transaction(db, async (tx) => {
        const current = await users.stillSignedIn(user, tx)
        const { id: userId } = current
        if (!(await findAuthenticatorOfUser(tx, userId))) throw problem('mfa_not_enabled')
        await audit.record({ userId, event: 'recovery_codes_regenerated' }, tx)
        await outbox.notify(user, 'recovery-codes-regenerated', tx)
        const change = 'recovery_codes_regenerated'
        await events.note('mfaChanged', current, { change }, tx)
        return recoveryCodes.replace(userId, tx)
      }),

    forgetExpiredChallenges: (most: number) => forgetExpiredChallenges(db, clock.now(), most),

    forgetExpiredActivations: (most: number) => forgetExpiredActivations(db, clock.now(), most),
  }

  /** Also ends logins that wait for a code, since there is no code any more. */
  async function removeAll(user: User, tx: Tx): Promise<boolean> {
    const wasOn = await removeAuthenticatorOfUser(tx, user.id)
    await removeCodesOfUser(tx, user.id)
    await takeActivationsOfUser(tx, user.id)
    await removeChallengesOfUser(tx, user.id)
    return wasOn
  }

  async function forget(user: User, details: Record<string, string>, tx: Tx): Promise<boolean> {
    if (!(await removeAll(user, tx))) return false
    await audit.record({ userId: user.id, event: 'mfa_deactivated', details }, tx)
    await outbox.notify(user, 'mfa-deactivated', tx)
    await events.note('mfaChanged', user, { change: 'deactivated' }, tx)
    return true
  }
}
