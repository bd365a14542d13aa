import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { NOT_HUMAN, SITE_KEY, SOLVED, startCaptcha } from '../../server/test/support/captcha.ts'
import { ADA, during, logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

type Provider = NonNullable<Parameters<typeof startCaptcha>[0]>

/** Where the script and the frame of each provider come from, and the name that the script defines. */
const WIDGETS: Record<Provider, { script: string; frame: string; api: string }> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/',
    frame: 'https://challenges.cloudflare.com/cdn-cgi/',
    api: 'turnstile',
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/',
    frame: 'https://newassets.hcaptcha.com/',
    api: 'hcaptcha',
  },
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js',
    frame: 'https://www.google.com/recaptcha/api2/',
    api: 'grecaptcha',
  },
  friendly: {
    script: 'https://cdn.jsdelivr.net/npm/@friendlycaptcha/',
    frame: 'https://global.frcapi.com/api/v2/captcha/widget',
    api: 'frcaptcha',
  },
}

const FRAME = `<!doctype html><html lang="en"><title>A widget</title>
<button onclick="parent.postMessage('${SOLVED}', '*')">I am human</button></html>`

/** Speaks as the scripts of the providers do: a frame, a field of its own, and one answer at a time. */
const scriptOf = (api: string, frame: string) => `
  const show = (box, options, tell) => {
    window.told = [...(window.told ?? []), { ...options, element: undefined }]
    const width = options.size === 'compact' ? 164 : 304
    box.innerHTML = \`<iframe title="Captcha" width="\${width}" height="78" src="${frame}"></iframe>
      <textarea name="g-recaptcha-response" hidden>x</textarea>\`
    addEventListener('message', (event) => tell(event.data))
  }
  const reset = () => { window.resets = (window.resets ?? 0) + 1 }
  window.${api} = {
    render(box, options) { show(box, options, options.callback); return 0 },
    reset,
    createWidget: (options) => {
      const listeners = {}
      show(options.element, options, (response) =>
        listeners['frc:widget.complete']({ detail: { response } }))
      return {
        addEventListener: (name, listen) => { listeners[name] = listen },
        reset,
        destroy: () => options.element.remove(),
      }
    },
  }
  window.captchaReady?.()
`

async function visit(
  provider: Provider,
  { settings = {}, ...look }: { settings?: object } & Parameters<typeof openVisit>[1] = {},
) {
  const server = await startCaptcha(provider)
  const site = await openSite({
    CAPTCHA: server.settings(),
    ACCOUNT: { LOGIN_BY_CODE_ENABLED: true },
    ...settings,
  })
  return { ...site, server, ...(await openVisit(site, look, provider)) }
}

type Site = Awaited<ReturnType<typeof openSite>>

async function openVisit(
  site: Site,
  look: Parameters<Site['visit']>[1] = {},
  provider: Provider = 'turnstile',
) {
  const { script, frame, api } = WIDGETS[provider]
  const { page, faults } = await site.visit(browser(), look)
  await page.route(`${frame}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAME }),
  )
  const served = { isBlocked: false }
  await page.route(`${script}**`, (route) => {
    if (route.request().resourceType() !== 'script') return route.fallback()
    if (served.isBlocked) return route.abort()
    return route.fulfill({ contentType: 'text/javascript', body: scriptOf(api, frame) })
  })
  return { page, faults, served }
}

const human = (page: Page) =>
  page.frameLocator('iframe').getByRole('button', { name: 'I am human' })
const group = (page: Page, name = 'Security check') => page.getByRole('group', { name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** What the page has sent to an endpoint, one body after the other. */
function sentTo(page: Page, path: string): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) {
      bodies.push(request.postDataJSON())
    }
  })
  return bodies
}

test.each<Provider>(['turnstile', 'hcaptcha', 'recaptcha', 'friendly'])(
  'somebody registers with %s, within the policy of the page',
  async (provider) => {
    const { page, faults, findUser } = await visit(provider)
    const sent = sentTo(page, '/registration/')
    await page.goto('/account/login/')
    await page.getByRole('link', { name: 'Create one' }).waitFor()
    expect(faults).toEqual([])

    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('E-mail address').fill(ADA)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await human(page).click()
    await press(page, 'Create account')
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    expect(await findUser('ada')).toBeTruthy()
    const password = { password1: PASSWORD, password2: PASSWORD }
    expect(sent).toEqual([{ username: 'ada', email: ADA, ...password, captcha: SOLVED }])
    expect(await page.evaluate('told')).toMatchObject([
      { sitekey: SITE_KEY, theme: 'light', language: 'en' },
    ])
    const { script, frame } = WIDGETS[provider]
    expect(faults.map((url) => url.startsWith(script) || url.startsWith(frame))).toEqual([
      true,
      true,
    ])
  },
)

test('a login asks only after failures, and can be solved with the keyboard', async () => {
  const { page, faults, createUser } = await visit('hcaptcha')
  await createUser({ username: 'ada', password: PASSWORD })
  await logIn(page, 'ada', 'wrong')
  for (const _ of [2, 3]) {
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    await press(page, 'Sign in')
  }
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  expect(faults).toEqual([])

  await press(page, 'Sign in')
  await group(page)
    .getByText(NOT_HUMAN.captcha[0] ?? '')
    .waitFor()
  await human(page).waitFor()
  expect(await group(page).evaluate((one) => one.matches(':focus'))).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[name=captcha]').inputValue()).toBe(SOLVED)
  await press(page, 'Sign in')
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
})

test('each mail needs an answer of its own', async () => {
  const { page, createUser, mail } = await visit('turnstile')
  await createUser({ username: 'ada', email: ADA })
  const sent = sentTo(page, '/password/reset/')
  await page.goto('/account/password/reset/')
  await page.getByLabel('E-mail address').fill(ADA)
  await human(page).waitFor()
  await press(page, 'Send the link')
  await group(page).getByText('Please confirm that you are human.').waitFor()
  await expect.poll(() => page.evaluate('window.resets')).toBe(1)
  await human(page).click()
  await press(page, 'Send the link')
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  expect(await mail.letters()).toHaveLength(1)

  // Most people need no second mail, so nothing is loaded yet.
  expect(await page.locator('iframe').count()).toBe(0)
  await press(page, 'Send it again')
  await human(page).click()
  await press(page, 'Send it again')
  await page.getByText('Sent again.').waitFor()
  await expect.poll(() => page.locator('[name=captcha]').inputValue()).toBe('')
  expect(await mail.letters()).toHaveLength(2)
  const without = { email: ADA, captcha: '' }
  const solved = { email: ADA, captcha: SOLVED }
  expect(sent).toEqual([without, solved, without, solved])
})

test('a page in the dark, from right to left, on a small screen', async () => {
  const look = { colorScheme: 'dark', locale: 'ar', viewport: { width: 320, height: 640 } } as const
  const { page } = await visit('recaptcha', { ...look, settings: { LANGUAGES: ['en', 'ar'] } })
  const script = await during(page.waitForRequest(/recaptcha\/api\.js/), () =>
    page.goto('/account/login/code/'),
  )
  await human(page).waitFor()
  expect(new URL(script.url()).searchParams.get('hl')).toBe('ar')
  expect(await page.evaluate('told')).toMatchObject([{ theme: 'dark', size: 'compact' }])
  await group(page, 'التحقق الأمني').waitFor()
  expect(await page.evaluate('document.body.scrollWidth <= innerWidth')).toBe(true)
})

test('a script that is blocked is named, and gets another chance', async () => {
  const { page, served, createUser, mail } = await visit('friendly')
  await createUser({ username: 'ada', email: ADA })
  served.isBlocked = true
  await page.goto('/account/password/reset/')
  const told = group(page).getByText('allow cdn.jsdelivr.net if something blocks it')
  await told.waitFor()
  await page.getByLabel('E-mail address').fill(ADA)
  served.isBlocked = false
  await press(page, 'Send the link')
  await human(page).click()
  expect(await told.count()).toBe(0)
  expect(await mail.letters()).toEqual([])
  await press(page, 'Send the link')
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  expect(await mail.letters()).toHaveLength(1)
})

test('a form whose captcha has lost its file says so, a login only when it is asked', async () => {
  const { page, faults, createUser } = await visit('turnstile')
  await createUser({ username: 'ada', password: PASSWORD })
  await page.route(/\/assets\/captcha-field/, (route) => route.fulfill({ status: 404 }))
  const told = page.getByRole('alert').getByText('The security check could not be loaded.')
  await page.goto('/account/register/')
  await told.waitFor()

  await logIn(page, 'ada', 'wrong')
  for (const _ of [2, 3]) {
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    await press(page, 'Sign in')
  }
  expect(await told.count()).toBe(0)
  await press(page, 'Sign in')
  await told.waitFor()
  expect(faults).toEqual([])
})
