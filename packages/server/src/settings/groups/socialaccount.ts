import { flag } from '../../kernel/setting-kinds/scalars.ts'
import { providers } from '../kinds/providers.ts'
import { derived, setting } from '../setting.ts'

export const socialAccount = {
  PROVIDERS: setting(
    providers,
    {},
    'The providers of social login, in the same form as in allauth. See docs/social.md.',
  ),
  SIGNUP: derived(
    flag,
    'true when MODULES has registration',
    ({ MODULES }) => MODULES.includes('registration'),
    'Let an unknown social login create an account. Existing accounts can log in either way.',
  ),
  EMAIL_AUTHENTICATION: setting(
    flag,
    false,
    'Let a social login log in to an existing account with the same address. Both the provider and Latchkey must have verified that address.',
  ),
}
