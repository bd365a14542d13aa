import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

/** A browser whose user has forbidden all storage. */
const FORBIDDEN = `
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, {
      get() { throw new DOMException('', 'SecurityError') },
    })
  }`

test.each([
  ['session', {}],
  ['token', { SESSION_LOGIN: false }],
])('%s: a login needs no storage', async (_, REST_AUTH) => {
  const site = await openSite({ REST_AUTH })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(FORBIDDEN)
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  await page.getByText('This device').waitFor()
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  await page.waitForURL(`${site.origin}/healthz`)
  expect(faults).toEqual([])
})

test('a login by a refresh cookie is no reason to load the page again', async () => {
  const REST_AUTH = { USE_JWT: true, JWT_AUTH_REFRESH_COOKIE: 'refresh' }
  const site = await openSite({ REST_AUTH })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(FORBIDDEN)
  await logIn(page)
  await page.getByText('This device').waitFor()
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await page.reload()
  await page.getByText('This device').waitFor()
  expect(loads).toBe(1)
  expect(faults).toEqual([])
})

test('the button of a provider says that it needs storage', async () => {
  const PROVIDERS = { github: { APP: { client_id: 'x', secret: 'y' } } }
  const site = await openSite({
    REST_AUTH: { SESSION_LOGIN: false },
    SOCIALACCOUNT: { PROVIDERS },
  })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(FORBIDDEN)
  const told = page.getByRole('alert').getByText('Your browser blocks the cookies of this site')
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await told.waitFor()
  await logIn(page)
  await page.getByRole('button', { name: 'Connect GitHub' }).click()
  await told.waitFor()
  expect(faults).toEqual([])
})

test.each([
  ['session', {}, true],
  ['token', { SESSION_LOGIN: false }, false],
])('%s: a browser without cookies is told so if it needs them', async (_, REST_AUTH, isTold) => {
  const site = await openSite({ REST_AUTH })
  const { context, page } = await site.visit(browser())
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await page.goto('/account/login/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate('navigator.cookieEnabled')).toBe(false)
  const told = page.getByText('Your browser blocks the cookies of this site')
  expect(await told.count()).toBe(isTold ? 1 : 0)
})
