import type { CaptchaFacts } from '../../kernel/page-facts.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Allowed } from './page.ts'

type Provider = CaptchaFacts['provider']

const HCAPTCHA = 'https://hcaptcha.com https://*.hcaptcha.com'
const GOOGLE = 'https://www.google.com/recaptcha/'
/** Not their module: a browser never tries again to load a module that has failed. */
const FRIENDLY = 'https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@0.2.0/site.compat.min.js'

/** The script of each widget. `captchaReady` is what the pages wait for. */
const SCRIPTS: Readonly<Record<Provider, string>> = {
  turnstile:
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=captchaReady',
  hcaptcha:
    'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off&onload=captchaReady',
  recaptcha: `${GOOGLE}api.js?render=explicit&onload=captchaReady`,
  friendly: FRIENDLY,
}

/** What the widgets load, according to the documents of their providers. */
const SOURCES: Readonly<Record<Provider, Allowed>> = {
  turnstile: {
    'script-src': 'https://challenges.cloudflare.com',
    'frame-src': 'https://challenges.cloudflare.com',
  },
  hcaptcha: {
    'script-src': HCAPTCHA,
    'frame-src': HCAPTCHA,
    'style-src': HCAPTCHA,
    'connect-src': HCAPTCHA,
  },
  recaptcha: {
    'script-src': `${GOOGLE} https://www.gstatic.com/recaptcha/`,
    'frame-src': `${GOOGLE} https://recaptcha.google.com/recaptcha/`,
    'connect-src': GOOGLE,
    // Its boxes have their place and size in attributes. Without them nobody can use it.
    'style-src-attr': "'unsafe-inline'",
  },
  friendly: { 'script-src': FRIENDLY, 'frame-src': 'https://*.frcapi.com' },
}

/** What the script of a page needs for a captcha. Null if nobody is asked for one. */
export function captchaFacts({ CAPTCHA }: Pick<Settings, 'CAPTCHA'>): CaptchaFacts | null {
  const { PROVIDER: provider, SITE_KEY: siteKey, ON: on, VERIFY_URL } = CAPTCHA
  if (provider === null || siteKey === null || on.length === 0) return null
  const endpoint = VERIFY_URL?.startsWith('https://eu.frcapi.com/') ? 'eu' : 'global'
  return { provider, siteKey, on, script: SCRIPTS[provider], endpoint }
}

/** Adds the sources of the captcha to those of the page, if it has one. */
export function allowCaptcha(allowed: Allowed, captcha: CaptchaFacts | null): Allowed {
  if (captcha === null) return allowed
  const more = Object.entries(SOURCES[captcha.provider]) as [keyof Allowed, string][]
  const joined = more.map(([name, sources]) => [
    name,
    [allowed[name] ?? [], sources].flat().join(' '),
  ])
  return { ...allowed, ...Object.fromEntries(joined) }
}
