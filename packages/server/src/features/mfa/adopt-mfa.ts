import type { Adoptable, Brought, UserLoss } from '../../core/adopt.ts'
import type { Tx } from '../../storage/handle.ts'
import { deleteRowsOf } from '../../storage/rows-of-user.ts'
import { type Authenticator, addAuthenticatorIfNone, listAuthenticatorsOf } from './mfa-queries.ts'
import { canonicalRecoveryCode, isOurRecoveryCode, type RecoveryCodes } from './recovery-codes.ts'
import type { TotpSecrets } from './second-factor.ts'

export type AdoptedMfa = {
  readonly app: AdoptedApp | null
  /** Unused recovery codes, as users have them on paper. Null if they could not be read. */
  readonly codes: readonly string[] | null
}

type AdoptedApp = {
  /** In base32. Null if it could not be read: then only a recovery code is accepted. */
  readonly secret: string | null
  readonly createdAt: number | null
  readonly lastUsedAt: number | null
}

type Needs = { recoveryCodes: RecoveryCodes; secrets: TotpSecrets }

/** The authenticator app and the recovery codes of a user. */
export function createAdoptMfa({ recoveryCodes, secrets }: Needs): Adoptable<AdoptedMfa> {
  return {
    /** A used code, new codes or another app are a change, a login with the app is not. */
    async marks(userIds, tx) {
      const apps = await listAuthenticatorsOf(tx, userIds)
      const marks = new Map<number, unknown[]>()
      for (const { user_id, created_at } of apps) {
        const codes = await recoveryCodes.unused(user_id, tx)
        // New codes may be as many as the old ones were.
        const isOurs = codes.some(isOurRecoveryCode)
        marks.set(user_id, [created_at, codes.length, ...(isOurs ? ['ours'] : [])])
      }
      return marks
    },

    async put(brought, tx) {
      const userIds = brought.map(({ userId }) => userId)
      const apps = await listAuthenticatorsOf(tx, userIds)
      const before = new Map(apps.map((app) => [app.user_id, app]))
      await deleteRowsOf(tx, 'totp_authenticators', userIds)
      for (const one of brought) await add(one, before.get(one.userId), tx)
      return brought.flatMap(codeLosses)
    },

    /** A code that was used there must not work here. Codes that were made here stay. */
    async merge({ userId, given: { codes } }, tx) {
      if (codes === null) return
      const unused = new Set(codes.map(canonicalRecoveryCode))
      for (const code of await recoveryCodes.unused(userId, tx)) {
        const isUsedThere = !isOurRecoveryCode(code) && !unused.has(canonicalRecoveryCode(code))
        if (isUsedThere) await recoveryCodes.use(userId, code, tx)
      }
    },
  }

  async function add(
    { userId, given: { app, codes } }: Brought<AdoptedMfa>,
    before: Authenticator | undefined,
    tx: Tx,
  ) {
    await recoveryCodes.replace(userId, tx, app ? usable(codes ?? []) : [])
    if (!app) return
    // A code of the same app that was used here stays spent.
    const same = before && secrets.holds(before, app.secret) ? before : undefined
    await addAuthenticatorIfNone(tx, {
      user_id: userId,
      sealed_secret: secrets.seal(userId, app.secret),
      last_step: same?.last_step ?? 0,
      created_at: app.createdAt ?? 0,
      last_used_at: later(app.lastUsedAt, same?.last_used_at ?? null),
    })
  }
}

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

/** Those that can be typed. Two that are read as the same code work once, so one of them is left out. */
function usable(codes: readonly string[]): string[] {
  const byForm = new Map(codes.map((code) => [canonicalRecoveryCode(code), code]))
  byForm.delete(undefined)
  return [...byForm.values()]
}

function codeLosses({ userId, given: { app, codes } }: Brought<AdoptedMfa>): UserLoss[] {
  const lose = (why: string) => [{ userId, what: 'recovery codes', why }]
  if (codes === null || codes.length === 0) return []
  // Here they stand in for an app, and never alone.
  if (!app) return lose('the user has no authenticator app')
  const odd = codes.length - usable(codes).length
  return odd === 0 ? [] : lose(`${odd} of them are too short, too long or like another one`)
}
