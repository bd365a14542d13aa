import type { Identity } from '../../core/identity.ts'
import { problem } from '../../kernel/problems.ts'
import { adminView } from '../../settings/admin-view.ts'
import { whyPasskeysCannotWork } from '../../settings/why-passkeys-cannot-work.ts'
import type { Handle } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import { isOperator } from './admin-sessions.ts'
import { hasPasskeyAlone } from './operators-queries.ts'

/**
 * Operators who have a verified passkey and no app must use the passkey: to log in to the admin, and
 * to add or remove a factor at either API. Otherwise a stolen password could replace the passkey, or
 * add a factor beside it, and so open the admin.
 */
export function createOperatorPasskey({ settings }: Pick<Context, 'settings'>) {
  const { MODULES } = settings
  const isAccepted =
    MODULES.includes('admin') &&
    MODULES.includes('passkeys') &&
    whyPasskeysCannotWork(adminView(settings)) === null

  const concerns = (user: User): boolean => isAccepted && isOperator(user)

  const isNeeded = async (user: User, within: Handle): Promise<boolean> =>
    concerns(user) && (await hasPasskeyAlone(within, user.id))

  return {
    /** False if passkeys are off, or belong to another domain than the admin pages. */
    isAccepted,
    /** Whether the rule can ever apply to this user. */
    concerns,
    isNeeded,

    /** Exact if `within` holds the user's row, since passkeys are added under the same lock. */
    async mustBeUsed(
      user: User,
      { hasTwoFactors = false }: Pick<Identity, 'hasTwoFactors'>,
      within: Handle,
    ): Promise<void> {
      if (!hasTwoFactors && (await isNeeded(user, within))) throw problem('passkey_required')
    },
  }
}
