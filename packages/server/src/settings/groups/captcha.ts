import { list, optional, optionalText, secretText } from '../../kernel/setting-kinds/compounds.ts'
import { choice, secureUrl } from '../../kernel/setting-kinds/scalars.ts'
import { setting } from '../setting.ts'

const PROVIDERS = ['turnstile', 'hcaptcha', 'recaptcha', 'friendly'] as const
const PLACES = ['registration', 'reset', 'login_after_failures', 'code'] as const

export type CaptchaProvider = (typeof PROVIDERS)[number]

/** What visitors must solve to show that they are human. */
export const captcha = {
  PROVIDER: setting(
    optional(choice(PROVIDERS)),
    null,
    'Who checks that visitors are human: Cloudflare Turnstile, hCaptcha, reCAPTCHA v2 or Friendly Captcha v2. Without it nobody is asked. See docs/sign-up.md.',
  ),
  SITE_KEY: setting(optionalText, null, 'The site key that the provider gave you. It is public.'),
  SECRET: setting(
    optional(secretText),
    null,
    'The secret that belongs to `SITE_KEY`. For Friendly Captcha it is the API key.',
  ),
  ON: setting(
    list(choice(PLACES)),
    PLACES,
    'What needs a captcha: `registration`, `reset` (a mail to reset a password), `code` (a mail with a login code), and `login_after_failures` (a login after three failures).',
  ),
  WHEN_DOWN: setting(
    choice(['refuse', 'allow']),
    'refuse',
    'What happens while the provider does not answer: `refuse` answers 503, `allow` asks nobody.',
  ),
  VERIFY_URL: setting(
    optional(secureUrl),
    null,
    'Another address that checks the results of visitors in the same way, such as a proxy of yours, or the address of the provider in the EU. It may be in your own network.',
  ),
}
