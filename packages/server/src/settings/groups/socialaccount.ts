import { type NamedObjects, namedObjects } from '../../kernel/setting-kinds/compounds.ts'
import { MASK } from '../../kernel/setting-kinds/kind.ts'
import { flag } from '../../kernel/setting-kinds/scalars.ts'
import { derived, setting } from '../setting.ts'

/** Only the outer shape is checked here; each provider checks its own part. */
const providers = {
  ...namedObjects(
    'an object of providers, such as {"google": {"APP": {"client_id": "…", "secret": "…"}}}',
    /^[a-z][a-z0-9_.-]*$/i,
  ),
  secret: true,
  show: (value: NamedObjects) =>
    JSON.stringify(Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))),
}

export const socialAccount = {
  PROVIDERS: setting(providers, {}, 'The social login providers, in the shape of allauth.'),
  SIGNUP: derived(
    flag,
    'true when MODULES has registration',
    ({ MODULES }) => MODULES.includes('registration'),
    'Let an identity that nobody has yet open an account. Known ones log in all the same.',
  ),
  EMAIL_AUTHENTICATION: setting(
    flag,
    false,
    'Link a social login to the account with the same address, when both sides have verified it.',
  ),
}
