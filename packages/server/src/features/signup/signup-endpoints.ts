import { type Field, orNothing, secret } from '../../http/fields.ts'
import type { PlainProblemCode } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import { takesInvitations } from './signup.ts'

const invitation = { invitation: orNothing(secret('Zr5nWq8LkT2vXb9YpC4mHs7dRfJ1gUe3')) }

/** Front ends that know invitations should know that registration can be closed, too. */
const REFUSALS = {
  open: ['invitation_invalid'],
  invited: ['invitation_required', 'invitation_invalid', 'signup_closed'],
  closed: ['signup_closed'],
} as const satisfies Record<string, readonly PlainProblemCode[]>

/** What the endpoints of every way to sign up have in common. */
export function signupParts(settings: Pick<Settings, 'ACCOUNT' | 'USER_FIELDS'>) {
  const { SIGNUP } = settings.ACCOUNT
  const takesKeys = takesInvitations(settings)
  return {
    /** They come before the others, so that these can ask for them. */
    fields: (takesKeys ? invitation : {}) as typeof invitation,
    refusals: takesKeys || SIGNUP === 'closed' ? REFUSALS[SIGNUP] : [],
    // The address of a form must be that of its invitation.
    addressFaults: takesKeys ? NOT_ALLOWED : addressFaultsOf(settings),
    /** An address that a form with an invitation need not have. */
    replaceable: <T>(email: Field<T>): Field<T> =>
      takesKeys ? { ...email, unless: 'invitation' } : email,
  }
}

const NOT_ALLOWED = ['email_not_allowed'] as const

/** The faults of an address that the settings may not allow. */
export const addressFaultsOf = ({ ACCOUNT }: Pick<Settings, 'ACCOUNT'>) =>
  ACCOUNT.ALLOWED_EMAIL_DOMAINS.length + ACCOUNT.BLOCKED_EMAIL_DOMAINS.length > 0 ? NOT_ALLOWED : []
