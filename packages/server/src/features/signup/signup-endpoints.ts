import { optional, secret } from '../../http/fields.ts'
import type { PlainProblemCode } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'

const invitation = { invitation: optional(secret('Zr5nWq8LkT2vXb9YpC4mHs7dRfJ1gUe3')) }

/** Front ends that support invitations must also expect that registration is closed. */
const REFUSALS = {
  open: [],
  invited: ['invitation_required', 'invitation_invalid', 'signup_closed'],
  closed: ['signup_closed'],
} as const satisfies Record<string, readonly PlainProblemCode[]>

/** What the endpoints of every way to sign up have in common. */
export function signupParts({ ACCOUNT }: Pick<Settings, 'ACCOUNT'>) {
  const { SIGNUP, ALLOWED_EMAIL_DOMAINS, BLOCKED_EMAIL_DOMAINS } = ACCOUNT
  const isInvited = SIGNUP === 'invited'
  const mayRefuse = isInvited || ALLOWED_EMAIL_DOMAINS.length + BLOCKED_EMAIL_DOMAINS.length > 0
  return {
    fields: (isInvited ? invitation : {}) as typeof invitation,
    refusals: REFUSALS[SIGNUP],
    addressFaults: (mayRefuse ? ['email_not_allowed'] : []) as readonly 'email_not_allowed'[],
  }
}
