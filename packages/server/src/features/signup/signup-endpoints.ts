import { optional, secret } from '../../http/fields.ts'
import type { PlainProblemCode } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'

const invitation = { invitation: optional(secret('Zr5nWq8LkT2vXb9YpC4mHs7dRfJ1gUe3')) }

/** Front ends that know invitations should know that registration can be closed, too. */
const REFUSALS = {
  open: [],
  invited: ['invitation_required', 'invitation_invalid', 'signup_closed'],
  closed: ['signup_closed'],
} as const satisfies Record<string, readonly PlainProblemCode[]>

/** What the endpoints of every way to sign up have in common. */
export function signupParts({ ACCOUNT: { SIGNUP } }: Pick<Settings, 'ACCOUNT'>) {
  const isInvited = SIGNUP === 'invited'
  return {
    fields: (isInvited ? invitation : {}) as typeof invitation,
    refusals: REFUSALS[SIGNUP],
    addressFaults: (isInvited ? ['email_not_allowed'] : []) as readonly 'email_not_allowed'[],
  }
}
