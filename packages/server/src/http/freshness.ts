import type { Identity } from '../core/identity.ts'
import { isUsablePassword } from '../crypto/password-hash/password-hasher.ts'
import { type Clock, isWithin } from '../kernel/clock.ts'
import { isObject } from '../kernel/json-object.ts'
import { problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'
import type { AfterBody } from './csrf.ts'

/**
 * Whether the caller must have authenticated recently, by a login or by `reauthenticate/`:
 * - `not-needed`: never
 * - `required`: with `ACCOUNT.REAUTHENTICATION_REQUIRED`
 * - `{ unlessSent }`: as `required`, unless the body has this field, which is checked and proves as
 *   much
 * - `required-without-password`: as `required`; also without the setting, for users who have no
 *   password that the endpoint could check instead
 * - `always-required`: regardless of the settings
 */
export type Freshness<Field extends string = string> =
  | 'not-needed'
  | 'required'
  | { readonly unlessSent: Field }
  | 'required-without-password'
  | 'always-required'

/** Refuses a stale credential, at once or after the body is read. */
type RefuseStale<Caller = Identity> = (identity: Caller, afterBody: AfterBody) => void

/** Returns what an endpoint does about stale credentials, or null if it never refuses one. */
export type FreshnessRules<Caller = Identity> = (
  freshness: Freshness | undefined,
) => RefuseStale<Caller> | null

type Needs = { clock: Clock; settings: Pick<Settings, 'ACCOUNT'> }

/** The only place that decides whether a credential is fresh. */
export function createIsFresh({ clock, settings }: Needs): (identity: Identity) => boolean {
  const { REAUTHENTICATION_TIMEOUT: lifetimeMs } = settings.ACCOUNT
  return ({ authenticatedAt }) => isWithin(lifetimeMs, authenticatedAt, clock.now())
}

export function createFreshness({ clock, settings }: Needs): FreshnessRules {
  const { REAUTHENTICATION_REQUIRED: isOn } = settings.ACCOUNT
  const isFresh = createIsFresh({ clock, settings })

  return (freshness = 'not-needed') => {
    if (!mayBeAsked(freshness, settings)) return null
    return (identity, afterBody) => {
      if (isFresh(identity)) return
      const isAsked = isOn || freshness === 'always-required'
      if (!isAsked && isUsablePassword(identity.user.password)) return
      if (typeof freshness === 'string') throw problem('reauthentication_required')
      afterBody((body) => {
        const isSent = isObject(body) && Object.hasOwn(body, freshness.unlessSent)
        if (!isSent) throw problem('reauthentication_required')
      })
    }
  }
}

/** Whether the settings let an endpoint refuse a stale credential at all. */
export function mayBeAsked(freshness: Freshness, { ACCOUNT }: Pick<Settings, 'ACCOUNT'>): boolean {
  if (freshness === 'not-needed') return false
  const isAskedAnyway = freshness === 'always-required' || freshness === 'required-without-password'
  return isAskedAnyway || ACCOUNT.REAUTHENTICATION_REQUIRED
}
