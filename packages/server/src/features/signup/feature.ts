import { tagged } from '../../http/endpoint.ts'
import { DAY } from '../../kernel/clock.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToLogin } from '../login/feature.ts'
import { invitationEndpoints } from './invitation-endpoints.ts'
import { createInvitations } from './invitations.ts'
import { createSignup } from './signup.ts'

/** How long an expired invitation can still be seen, and sent again. */
const KEPT_EXPIRED = 30 * DAY

/** Who may open an account: everybody, people with an invitation, or nobody. */
export const signupFeature = feature((house: UpToLogin) => {
  const invitations = createInvitations(house)
  const signup = createSignup({ ...house, invitations })
  const mayInvite = signup.isInvited && house.settings.INVITATIONS_BY_USERS
  return {
    offers: { invitations, signup },
    endpoints: mayInvite ? tagged('Invitations', invitationEndpoints({ invitations, signup })) : [],
    keeps: {
      dossier: [invitations.entry],
      rows: ['invitations'],
      erase: invitations.forget,
    },
    sweeps: [{ table: 'invitations', key: 'id', time: 'expires_at', keepFor: KEPT_EXPIRED }],
  }
})

export type UpToSignup = UpToLogin & Offers<typeof signupFeature>
