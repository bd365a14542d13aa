import type { Check } from './finding.ts'
import { invitationPage } from './groups/service.ts'
import type { Rule } from './settings.ts'

/** Who may register, and with what. */
export const signupRules: readonly Rule[] = [
  {
    about: ['INVITATION_URL', 'ACCOUNT.SIGNUP', 'MODULES', 'PUBLIC_URL', 'PAGES_PREFIX'],
    broken: (settings) =>
      settings.ACCOUNT.SIGNUP === 'invited' &&
      !settings.MODULES.includes('pages') &&
      settings.INVITATION_URL === invitationPage(settings),
    says: 'must be set, since the module pages is off and nothing else shows an invitation; name a page of yours, with {key}',
  },
  {
    about: ['USER_FIELDS', 'ACCOUNT.SIGNUP'],
    broken: ({ USER_FIELDS, ACCOUNT }) =>
      ACCOUNT.SIGNUP === 'invited' && Object.hasOwn(USER_FIELDS, 'invitation'),
    says: 'contains the field invitation, under which registration takes the key of an invitation; choose another name',
  },
  {
    about: ['ACCOUNT.SIGNUP_FIELDS'],
    broken: ({ ACCOUNT: { SIGNUP_FIELDS } }) => !SIGNUP_FIELDS.includes('password1*'),
    says: 'must contain password1*, since an account needs a password',
  },
  {
    about: ['ACCOUNT.SIGNUP_FIELDS'],
    broken: ({ ACCOUNT: { SIGNUP_FIELDS } }) =>
      !SIGNUP_FIELDS.includes('username*') && !SIGNUP_FIELDS.includes('email*'),
    says: 'must contain username* or email*, since an account needs a name or an address',
  },
  {
    about: ['ACCOUNT.SIGNUP_FIELDS'],
    broken: ({ ACCOUNT: { SIGNUP_FIELDS } }) =>
      SIGNUP_FIELDS.some((name) => SIGNUP_FIELDS.some((other) => other === `${name}*`)),
    says: 'contains a field twice, with and without a star; keep one of them',
  },
  {
    about: ['ACCOUNT.SIGNUP_FIELDS', 'ACCOUNT.EMAIL_VERIFICATION'],
    broken: ({ ACCOUNT: { SIGNUP_FIELDS, EMAIL_VERIFICATION } }) =>
      EMAIL_VERIFICATION === 'mandatory' && !SIGNUP_FIELDS.includes('email*'),
    says: 'must contain email*, since ACCOUNT.EMAIL_VERIFICATION is mandatory',
  },
  {
    about: ['ACCOUNT.SIGNUP_FIELDS', 'ACCOUNT.LOGIN_METHODS'],
    broken: ({ ACCOUNT: { SIGNUP_FIELDS, LOGIN_METHODS } }) =>
      !LOGIN_METHODS.includes('username') && !SIGNUP_FIELDS.includes('email*'),
    says: 'must contain email*, since ACCOUNT.LOGIN_METHODS allows only e-mail addresses',
  },
]

/** Users may invite others, but nobody can be invited. */
export const INVITES_IN_VAIN: Check = {
  about: 'INVITATIONS_BY_USERS',
  says: 'has no effect, since ACCOUNT.SIGNUP is not invited',
  mend: 'set ACCOUNT.SIGNUP to invited, or INVITATIONS_BY_USERS to false',
  applies: ({ INVITATIONS_BY_USERS, ACCOUNT }) =>
    INVITATIONS_BY_USERS && ACCOUNT.SIGNUP !== 'invited',
}
