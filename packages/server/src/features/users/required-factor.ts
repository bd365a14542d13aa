import type { FactorDue, Identity } from '../../core/identity.ts'
import { DAY } from '../../kernel/clock.ts'
import { unlessFrozen, unlessRefused } from '../../storage/faults.ts'
import type { Handle } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToMail } from '../mail/feature.ts'
import { groupsOf } from './user-values.ts'
import { noteAsked } from './users-queries.ts'

const DUE: FactorDue = { kind: 'mfa_setup' }

type MaybeAsked = User & { has_factor?: number }

type Restrictable = Pick<Identity, 'restriction'> & { user: MaybeAsked }

/**
 * Which users must have a second factor (`MFA_REQUIRED`). It is a condition of every credential, not
 * of a way to log in, and is asked again at each request. So no way in leads around it, and older
 * credentials, changed groups and a factor that was removed all count at once.
 */
export function createRequiredFactor({ db, clock, settings }: UpToMail) {
  const { MFA_REQUIRED: required } = settings
  const graceMs = settings.MFA_GRACE_DAYS * DAY

  return {
    /** Queries for the owner of a credential must then tell whether there is a second factor. */
    asksFactor: required !== null,

    restrictionOf,

    /** The same credential, restricted if its user must set up a factor first. */
    restricted<C extends Restrictable>(credential: C): C | Promise<C> {
      const due = restrictionOf(credential.user)
      if (!due) return credential
      return due.then((restriction) => (restriction ? { ...credential, restriction } : credential))
    },
  }

  /**
   * Returns the restriction of the credentials of this user, if they must set up a factor first. Every
   * request asks, so there is no promise for users who need not.
   */
  function restrictionOf(
    user: MaybeAsked,
    within: Handle = db,
  ): Promise<FactorDue | undefined> | undefined {
    return user.has_factor === 1 || !appliesTo(user) ? undefined : dueSince(user, within)
  }

  async function dueSince(user: User, within: Handle): Promise<FactorDue | undefined> {
    const askedAt = user.mfa_asked_at ?? (await ask(user, within))
    return clock.now() < askedAt + graceMs ? undefined : DUE
  }

  function appliesTo(user: User): boolean {
    if (required === null) return false
    return required === 'all' || groupsOf(user).some((group) => required.includes(group))
  }

  /** Of parallel first requests one is stored, so the grace period is counted once. */
  async function ask({ id }: User, within: Handle): Promise<number> {
    const now = clock.now()
    await noteAsked(within, id, now).catch(within === db ? unlessRefused : unlessFrozen)
    return now
  }
}
