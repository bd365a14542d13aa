import { type NamedObjects, namedObjects } from '../../kernel/setting-kinds/compounds.ts'
import { MASK } from '../../kernel/setting-kinds/kind.ts'
import { flag } from '../../kernel/setting-kinds/scalars.ts'
import { derived, setting } from '../setting.ts'

/** Only the outer shape is checked here; each provider checks its own part. */
const providers = {
  ...namedObjects(
    'an object with providers, such as {"google": {"APP": {"client_id": "…", "secret": "…"}}}',
    /^[a-z][a-z0-9_.-]*$/i,
  ),
  secret: true,
  show: (value: NamedObjects) =>
    JSON.stringify(Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))),
}

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
    'Whether a social login that belongs to no account makes a new one. Users who already have an account can log in either way.',
  ),
  EMAIL_AUTHENTICATION: setting(
    flag,
    false,
    'Whether a social login also logs in to an existing account with the same address. Both the provider and Latchkey must have verified that address.',
  ),
}
