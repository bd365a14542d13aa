import { optional, secret } from '../../http/fields.ts'
import type { PlainProblemCode } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import { notUnique, uniqueNames } from '../users/user-fields.ts'

const invitation = { invitation: optional(secret('Zr5nWq8LkT2vXb9YpC4mHs7dRfJ1gUe3')) }

/** Front ends that support invitations must also expect that registration is closed. */
const REFUSALS = {
  open: [],
  invited: ['invitation_required', 'invitation_invalid', 'signup_closed'],
  closed: ['signup_closed'],
} as const satisfies Record<string, readonly PlainProblemCode[]>

const NOT_ALLOWED = ['email_not_allowed'] as const

/** The faults of an address. None if the settings allow every domain. */
export const addressFaultsOf = ({ ACCOUNT }: Pick<Settings, 'ACCOUNT'>) =>
  ACCOUNT.ALLOWED_EMAIL_DOMAINS.length + ACCOUNT.BLOCKED_EMAIL_DOMAINS.length > 0 ? NOT_ALLOWED : []

/** What the endpoints of every way to sign up have in common. */
export function signupParts(settings: Pick<Settings, 'ACCOUNT' | 'USER_FIELDS'>) {
  const { SIGNUP } = settings.ACCOUNT
  const isInvited = SIGNUP === 'invited'
  return {
    fields: (isInvited ? invitation : {}) as typeof invitation,
    /** Why a visitor may not sign up. */
    admission: REFUSALS[SIGNUP],
    // Somebody may have taken a value that the invitation gives.
    refusals: [
      ...REFUSALS[SIGNUP],
      ...(isInvited ? notUnique(uniqueNames(settings.USER_FIELDS)) : []),
    ],
    // An invitation is for one address.
    addressFaults: isInvited ? NOT_ALLOWED : addressFaultsOf(settings),
  }
}
