import type { Identity } from '../../core/identity.ts'
import type { Sealed } from '../../core/sealed.ts'
import { createKeyedDigest } from '../../crypto/digests.ts'
import { createTotp } from '../../crypto/totp.ts'
import { problem } from '../../kernel/problems.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { deleteRowsOfUser } from '../../storage/rows-of-user.ts'
import type { LoginMethod, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import type { UpToJwt } from '../jwt/feature.ts'
import { activationOwner, createActivation } from './activation.ts'
import { createAdoptMfa } from './adopt-mfa.ts'
import { createChallenges } from './challenges.ts'
import {
  countCodesOfUser,
  findAuthenticatorOfUser,
  listAuthenticatorsOf,
  removeAuthenticatorOfUser,
  removeChallengesBy,
  takeActivationsOfUser,
} from './mfa-queries.ts'
import { createRecoveryCodes, type RecoveryCodes } from './recovery-codes.ts'
import {
  type CodeGiven,
  createSecondFactor,
  createTotpSecrets,
  createWrongCodes,
  type Factor,
  secretOwner,
} from './second-factor.ts'

export type Mfa = ReturnType<typeof createMfa>

export function createMfa(house: UpToJwt) {
  const { db, users, revocation, audit, outbox, events, settings } = house
  const { REST_AUTH, ACCOUNT, SECRET_KEY_FALLBACKS } = settings
  const totp = createTotp({
    digits: REST_AUTH.MFA_TOTP_DIGITS,
    periodSeconds: REST_AUTH.MFA_TOTP_PERIOD,
  })
  const recoveryCodes = createRecoveryCodes({
    ...house,
    keyedDigest: createKeyedDigest(house.secretKey, SECRET_KEY_FALLBACKS, 'recovery-codes'),
    count: REST_AUTH.MFA_RECOVERY_CODE_COUNT,
  })
  const secrets = createTotpSecrets(house)
  const wrongCodes = createWrongCodes(house.limits, ACCOUNT.RATE_LIMITS.mfa_failed)
  const parts = { ...house, totp, recoveryCodes, secrets }
  const secondFactor = createSecondFactor({ ...parts, wrongCodes })

  return {
    sealed: sealedByMfa(recoveryCodes),
    adopt: createAdoptMfa({ recoveryCodes, secrets }),

    challenges: createChallenges({ ...house, secondFactor, at: 'public' }),
    adminChallenges: createChallenges({ ...house, secondFactor, at: 'admin' }),

    /** Ends logins that wait for a code, if they began with a way in that is being removed. */
    endChallenges: (userId: number, method: LoginMethod, tx: Tx): Promise<void> =>
      removeChallengesBy(tx, userId, method),

    activation: createActivation(parts),

    async isOn(userId: number, within: Handle = db): Promise<boolean> {
      return (await findAuthenticatorOfUser(within, userId)) !== undefined
    },

    /** Those of the users who have MFA on. */
    async whoHas(userIds: readonly number[]): Promise<ReadonlySet<number>> {
      const found = userIds.length === 0 ? [] : await listAuthenticatorsOf(db, userIds)
      return new Set(found.map(({ user_id }) => user_id))
    },

    async status(userId: number) {
      const authenticator = await findAuthenticatorOfUser(db, userId)
      const codesLeft = await countCodesOfUser(db, userId)
      return { authenticator, codesLeft }
    },

    prove,

    async deactivate(identity: Identity, code: string, address: string): Promise<void> {
      await prove(identity, { code, address, purpose: 'deactivate' }, async (user, by, tx) => {
        await forget(user, { by }, tx)
        await revocation.ofOtherCredentials(identity, tx)
      })
    },

    /** For users who have lost every code. Returns whether MFA was on. */
    reset: (user: User, operator: Operator, tx: Tx): Promise<boolean> =>
      forget(user, { by: 'operator' }, tx, operator),

    async erase(user: User, tx: Tx): Promise<void> {
      await removeAll(user, tx)
      await wrongCodes.forgetUser(user, tx)
    },

    /**
     * Returns whether the code is right, or MFA is off. The caller's transaction holds the user's
     * row, and must commit even if the code is wrong: it contains the count.
     */
    async accepts(user: User, given: CodeGiven, tx: Tx): Promise<boolean> {
      const authenticator = await findAuthenticatorOfUser(tx, user.id)
      if (!authenticator) return true
      return (await secondFactor.prove(user, authenticator, given, tx)) !== null
    },

    unusedRecoveryCodes: (userId: number): Promise<string[]> => recoveryCodes.unused(userId, db),

    regenerateRecoveryCodes: (identity: Identity): Promise<string[]> =>
      transaction(db, async (tx) => {
        const current = await users.stillSignedIn(identity, tx)
        const { user } = identity
        if (!(await findAuthenticatorOfUser(tx, user.id))) throw problem('mfa_not_enabled')
        const event = 'recovery_codes_regenerated'
        await audit.record({ userId: user.id, event }, tx)
        await outbox.notify(current, 'recovery-codes-regenerated', tx)
        await events.note('mfaChanged', current, { change: event }, tx)
        return recoveryCodes.replace(user.id, tx)
      }),
  }

  /** Spends a code of a signed-in user. Returns its kind. `use` runs in the same transaction. */
  async function prove(
    identity: Identity,
    given: CodeGiven,
    use?: (user: User, factor: Factor, tx: Tx) => Promise<void>,
  ): Promise<Factor> {
    const factor = await transaction(db, async (tx) => {
      const user = await users.stillSignedIn(identity, tx)
      const authenticator = await findAuthenticatorOfUser(tx, user.id)
      if (!authenticator) throw problem('mfa_not_enabled')
      const proved = await secondFactor.prove(user, authenticator, given, tx)
      if (proved) await use?.(user, proved, tx)
      return proved
    })
    if (!factor) throw problem('mfa_code_invalid')
    return factor
  }

  /** Also ends logins that wait for a code, since there is no code any more. */
  async function removeAll(user: User, tx: Tx): Promise<boolean> {
    const wasOn = await removeAuthenticatorOfUser(tx, user.id)
    await deleteRowsOfUser(tx, 'recovery_codes', user.id)
    await takeActivationsOfUser(tx, user.id)
    await deleteRowsOfUser(tx, 'mfa_challenges', user.id)
    return wasOn
  }

  async function forget(
    user: User,
    details: Record<string, string>,
    tx: Tx,
    operator: Operator | null = null,
  ): Promise<boolean> {
    if (!(await removeAll(user, tx))) return false
    await audit.record({ userId: user.id, event: 'mfa_deactivated', details, operator }, tx)
    await outbox.notify(user, 'mfa-deactivated', tx)
    await events.note('mfaChanged', user, { change: 'deactivated' }, tx)
    return true
  }
}

/** A recovery code is found by a digest with the same key, so both change together. */
const sealedByMfa = (recoveryCodes: RecoveryCodes): Sealed[] => [
  {
    table: 'totp_authenticators',
    keys: ['user_id'],
    column: 'sealed_secret',
    ownerOf: secretOwner,
    blankIsUnreadable: true,
  },
  {
    table: 'totp_activations',
    keys: ['digest'],
    column: 'sealed_secret',
    ownerOf: activationOwner,
  },
  {
    table: 'recovery_codes',
    keys: ['user_id', 'digest'],
    column: 'sealed_code',
    renew: ({ user_id, digest, sealed_code }) =>
      recoveryCodes.renewed({
        user_id: Number(user_id),
        digest: String(digest),
        sealed_code: String(sealed_code),
      }),
  },
]
