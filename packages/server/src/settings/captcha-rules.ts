import type { Rule } from './settings.ts'

/** A provider needs both keys, and the field of its answers a name of its own. */
export const captchaRules: readonly Rule[] = [
  ...(['SITE_KEY', 'SECRET'] as const).map(
    (name): Rule => ({
      about: [`CAPTCHA.${name}`, 'CAPTCHA.PROVIDER'],
      broken: ({ CAPTCHA }) => CAPTCHA.PROVIDER !== null && CAPTCHA[name] === null,
      says: 'must be set, since CAPTCHA.PROVIDER is; the provider gives you both keys',
    }),
  ),
  {
    about: ['CAPTCHA.ON', 'CAPTCHA.PROVIDER', 'ACCOUNT.RATE_LIMITS'],
    broken: ({ CAPTCHA, ACCOUNT }) =>
      CAPTCHA.PROVIDER !== null &&
      CAPTCHA.ON.includes('login_after_failures') &&
      ACCOUNT.RATE_LIMITS.login_failed.length === 0,
    says: 'contains login_after_failures, but ACCOUNT.RATE_LIMITS.login_failed is none, so failures are not counted; set a rate, or leave it out',
  },
  {
    about: ['USER_FIELDS', 'CAPTCHA.PROVIDER'],
    broken: ({ USER_FIELDS, CAPTCHA }) =>
      CAPTCHA.PROVIDER !== null && Object.hasOwn(USER_FIELDS, 'captcha'),
    says: 'contains the field captcha, under which registration takes the answer to a captcha; choose another name',
  },
]
