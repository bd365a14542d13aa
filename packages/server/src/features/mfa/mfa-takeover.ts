import type { Adoption, Loss, TakeoverPart } from '../../core/takeover.ts'
import type { Tx } from '../../storage/handle.ts'
import { djangoCodes, djangoTotp } from './django-authenticators.ts'
import {
  addAuthenticatorIfNone,
  countCodesOf,
  listAuthenticatorsOf,
  removeAuthenticatorOfUser,
  removeCodesOfUser,
} from './mfa-queries.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { canonicalRecoveryCode, isOurRecoveryCode, isRecoveryCode } from './recovery-codes.ts'
import type { TotpSecrets } from './totp-secrets.ts'

type Needs = { recoveryCodes: RecoveryCodes; secrets: TotpSecrets }

/** The authenticator app and the recovery codes of a user. */
export function mfaTakeover({ recoveryCodes, secrets }: Needs): TakeoverPart {
  return {
    name: 'mfa',
    of: (source) => {
      const [found, codes] = [djangoTotp(source), djangoCodes(source)]
      return found || codes?.length !== 0 ? [found?.secret ?? null, codes] : null
    },
    isCounted: (source) => djangoTotp(source) !== null,
    marks,
    add: async (adoptions, tx) => {
      const losses: Loss[] = []
      for (const adoption of adoptions) losses.push(...(await adopt(adoption, tx)))
      return losses
    },
    async replace(adoption, tx) {
      await removeAuthenticatorOfUser(tx, adoption.userId)
      await removeCodesOfUser(tx, adoption.userId)
      return adopt(adoption, tx)
    },
    /** A code that was used there must not be used again here. Codes that were made here stay. */
    async merge({ userId, source }, tx) {
      const codes = djangoCodes(source)
      if (codes === null) return
      const unused = new Set(codes.map(canonicalRecoveryCode))
      for (const code of await recoveryCodes.unused(userId, tx)) {
        const isUsedThere = !isOurRecoveryCode(code) && !unused.has(canonicalRecoveryCode(code))
        if (isUsedThere) await recoveryCodes.use(userId, code, tx)
      }
    },
  }

  async function adopt({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
    const found = djangoTotp(source)
    const codes = djangoCodes(source)
    const losses = codeLosses(codes, found !== null).map((why) => ({
      source,
      what: 'recovery codes',
      why,
    }))
    if (!found) return losses
    await addAuthenticatorIfNone(tx, {
      user_id: userId,
      sealed_secret: secrets.seal(userId, found.secret),
      last_step: 0,
      created_at: found.createdAt ?? 0,
      last_used_at: found.lastUsedAt,
    })
    await recoveryCodes.replace(userId, tx, (codes ?? []).filter(isRecoveryCode))
    return found.secret === null
      ? [...losses, { source, what: 'second factor', why: UNREADABLE }]
      : losses
  }
}

const UNREADABLE =
  'the secret cannot be read, since the project encrypts it with code of its own; the user needs a recovery code, or latchkey user reset-mfa'

/** Why recovery codes stay behind, if any do. */
function codeLosses(codes: string[] | null, hasApp: boolean): string[] {
  if (codes === null) {
    return ['they cannot be read, since the project encrypts them with code of its own']
  }
  // They stand in for an app here, and cannot stand alone.
  if (!hasApp) {
    return codes.length === 0
      ? []
      : ['the user has no authenticator app, for which they would stand in']
  }
  const odd = codes.filter((code) => !isRecoveryCode(code)).length
  return odd === 0 ? [] : [`${odd} of them are too short or too long to be taken`]
}

/** A used code is a change, and so is another app; a login with the app is none. */
async function marks(userIds: readonly number[], tx: Tx): Promise<Map<number, unknown>> {
  const counts = await countCodesOf(tx, userIds)
  const left = new Map(counts.map(({ user_id, count }) => [user_id, Number(count)]))
  const apps = await listAuthenticatorsOf(tx, userIds)
  return new Map(
    apps.map(({ user_id, created_at }) => [user_id, [created_at, left.get(user_id) ?? 0]]),
  )
}
