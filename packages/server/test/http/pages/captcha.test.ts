import { expect, test } from 'vitest'
import { startAdmin } from '../../support/admin.ts'
import { factsIn } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const KEYS = { SITE_KEY: 'the-site-key', SECRET: 'the secret of the site' }
const HCAPTCHA = 'https://hcaptcha.com https://*.hcaptcha.com'

/** The policy without the hash of the style, by directive. */
const policyOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .replace(/ 'sha256-[^']+'/, '')
      .split('; ')
      .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  )

test.each<[PROVIDER: string, more: Record<string, string>]>([
  [
    'turnstile',
    {
      'script-src': "'self' https://challenges.cloudflare.com",
      'frame-src': 'https://challenges.cloudflare.com',
    },
  ],
  [
    'hcaptcha',
    {
      'script-src': `'self' ${HCAPTCHA}`,
      'connect-src': `'self' ${HCAPTCHA}`,
      'style-src': `'self' ${HCAPTCHA}`,
      'frame-src': HCAPTCHA,
    },
  ],
  [
    'recaptcha',
    {
      'script-src': "'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
      'connect-src': "'self' https://www.google.com/recaptcha/",
      'frame-src': 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
      'style-src-attr': "'unsafe-inline'",
    },
  ],
  [
    'friendly',
    {
      'script-src': expect.stringMatching(
        /^'self' https:\/\/cdn\.jsdelivr\.net\/npm\/@friendlycaptcha\/sdk@[\d.]+\/site\.compat\.min\.js$/,
      ),
      'frame-src': 'https://*.frcapi.com',
    },
  ],
])('the pages allow the hosts of %s, and no others', async (PROVIDER, more) => {
  const { request: plain } = await startAuth()
  const { request } = await startAuth({ CAPTCHA: { PROVIDER, ...KEYS } })
  const usual = policyOf((await plain.get('/account/login/')).headers)
  const page = await request.get('/account/login/')
  expect(policyOf(page.headers)).toEqual({ ...usual, ...more })
  expect(factsIn(page).captcha).toMatchObject({ provider: PROVIDER, siteKey: KEYS.SITE_KEY })
  expect(String(page.body)).not.toContain(KEYS.SECRET)
  // Without a script there is no widget.
  const { headers: ofLink } = await request.get('/account/confirm/x/')
  expect(policyOf(ofLink)).toEqual(policyOf((await plain.get('/account/confirm/x/')).headers))
})

test('pages without a captcha, and those for operators, load nothing from elsewhere', async () => {
  const CAPTCHA = { PROVIDER: 'hcaptcha', ...KEYS }
  const { request } = await startAuth({ CAPTCHA: { ...CAPTCHA, ON: [] } })
  const { newVisitor } = await startAdmin({ CAPTCHA })
  for (const page of [await request.get('/account/login/'), await newVisitor().get('/admin/')]) {
    expect(factsIn(page).captcha).toBe(null)
    expect(String(page.headers['content-security-policy'])).not.toContain('http')
  }
})

test('Friendly Captcha stays in the EU, if its answers are checked there', async () => {
  const CAPTCHA = { PROVIDER: 'friendly', ...KEYS }
  const VERIFY_URL = 'https://eu.frcapi.com/api/v2/captcha/siteverify'
  const captchaOf = async (settings: object) => {
    const { request } = await startAuth({ CAPTCHA: settings })
    return factsIn(await request.get('/account/login/')).captcha
  }
  expect(await captchaOf(CAPTCHA)).toMatchObject({ endpoint: 'global' })
  expect(await captchaOf({ ...CAPTCHA, VERIFY_URL })).toMatchObject({ endpoint: 'eu' })
  const elsewhere = await captchaOf({ ...CAPTCHA, VERIFY_URL: 'https://proxy.example/' })
  expect(elsewhere).toMatchObject({ endpoint: 'global' })
})
