import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openTestSite } from './support.ts'

const browser = useBrowser()

const APP = { provider_id: 'real', name: 'Real', client_id: 'latchkey', secret: 'a secret' }
const APPS = [{ ...APP, settings: { server_url: 'test:' } }]

const openSiteWithProvider = (settings: object = {}) =>
  openTestSite({
    ...settings,
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } }, EMAIL_AUTHENTICATION: true },
  })

test('a visitor goes to a provider and comes back signed in, also with a second step', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  const enter = () => page.getByRole('button', { name: 'Continue with Real' }).click()
  await site.idp('real').next({ sub: 'ada-there', email: 'ada@example.com', email_verified: true })
  await page.goto('/account/login/')
  await enter()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.events({ type: 'registered' })).toMatchObject([
    { user: { email: 'ada@example.com' }, method: 'social' },
  ])
  expect(page.url()).toBe(`${site.url}/account/`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()

  // The page that was asked for is not forgotten on the way.
  await site.user({ username: 'grace', totp: true })
  await site.idp('real').next({ sub: 'grace-there', email: 'grace@example.com' })
  await page.goto('/account/login/?next=/healthz')
  await enter()
  const secondStep = page.getByRole('heading', { name: 'Second step' })
  await secondStep.waitFor()
  // A second step that starts again does not forget it, either.
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${site.url}/account/login/?next=%2Fhealthz`)
  await site.idp('real').next({ sub: 'grace-there', email: 'grace@example.com' })
  await enter()
  await secondStep.waitFor()
  await page.getByLabel('Code', { exact: true }).fill(await site.totp('grace'))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(`${site.url}/healthz`)
})

test('a provider that refuses or is down is told, and does not lose ?next=', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await page.goto('/account/login/?next=/healthz')
  for (const [error, words] of [
    ['access_denied', 'Real did not sign you in.'],
    ['temporarily_unavailable', 'Real cannot be reached at the moment.'],
  ] as const) {
    await site.idp('real').next({ error })
    await page.getByRole('button', { name: 'Continue with Real' }).click()
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await site.events()).toEqual([])
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toBe(`${site.url}/account/login/?next=%2Fhealthz`)
  }
})

test('an answer that this tab has not asked for is refused', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await page.goto('/account/callback/real?code=stolen&state=unknown')
  await page.getByText('This sign-in did not start here').waitFor()
  expect(page.url()).not.toContain('stolen')
  expect(await site.events()).toEqual([])
})

test('a user connects a provider on the account page, at the second attempt', async () => {
  const site = await openSiteWithProvider({ ACCOUNT: { REAUTHENTICATION_REQUIRED: true } })
  const { page, password, faults } = await site.visitAs({ username: 'ada' }, browser(), '1h')
  const connect = page.getByRole('button', { name: 'Connect Real' })
  await site.idp('real').next({ error: 'access_denied' })
  await connect.click()
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await connect.waitFor()
  expect(page.url()).toBe(`${site.url}/account/`)

  await site.idp('real').next({ sub: 'ada-there', email: 'ada@example.com' })
  await connect.click()
  const dialog = page.getByRole('dialog', { name: 'Is it really you?' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Disconnect Real' }).waitFor()
  expect(page.url()).toBe(`${site.url}/account/`)
  expect(faults).toEqual([])
})

test.each([
  [undefined],
  // Neither has an address.
  [['email', 'pk']],
  [['first_name']],
])('a connection that another user has started is refused, with the fields %j', async (fields) => {
  const REST_AUTH = fields && { USER_DETAILS_SERIALIZER: { fields } }
  const site = await openSiteWithProvider({ ...(REST_AUTH && { REST_AUTH }) })
  const ada = { username: 'ada', email: '', first_name: 'Ada' }
  const { context, page } = await site.visitAs(ada, browser())
  await site.user({ username: 'grace', email: '', first_name: 'Grace' })
  await site.idp('real').next({ sub: 'ada-there', email: 'ada@example.com' })
  // While Ada is at the provider, Grace signs in in another tab.
  await page.route(/\/account\/go\//, async (route) => {
    const { cookies } = await site.login({ user: 'grace', mode: 'session' })
    await context.addCookies([...cookies])
    await route.continue()
  })
  await page.getByRole('button', { name: 'Connect Real' }).click()
  await page.getByText('This sign-in did not start here').waitFor()
  await page.getByRole('button', { name: 'Connect Real' }).waitFor()
  expect(await site.mail({ kind: 'social-account-connected' })).toEqual([])
})

test('a provider that takes no codes has no button', async () => {
  const apple = { APP: { client_id: 'our.app', settings: { token_auth_method: 'none' } } }
  const PROVIDERS = { apple, openid_connect: { APPS } }
  const site = await openTestSite({ SOCIALACCOUNT: { PROVIDERS } })
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  await page.getByRole('button', { name: 'Connect Real' }).waitFor()
  expect(await page.getByRole('button', { name: 'Connect Apple' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Continue with Real' }).waitFor()
  expect(await page.getByRole('button', { name: 'Continue with Apple' }).count()).toBe(0)
})

test('a change of the language on the way back does not lose the connection', async () => {
  const site = await openSiteWithProvider({ LANGUAGES: ['en', 'de'] })
  const { page } = await site.visitAs({ username: 'ada', language: 'de' }, browser())
  await site.idp('real').next({ sub: 'ada-there', email: 'ada@example.com' })
  // A redirect cannot be intercepted, so a page leads back.
  await page.route(/\/account\/go\//, async (route) => {
    const { url } = await fetch(route.request().url())
    await route.fulfill({ contentType: 'text/html', body: `<script>location = '${url}'</script>` })
  })
  // With a form of a provider, browsers send no cookie. So the page does not know who reads it.
  await page.route(/\/account\/callback\//, async (route) => {
    const body = await (await fetch(route.request().url())).text()
    expect(body).toContain('<html lang="en">')
    await route.fulfill({ contentType: 'text/html', body })
  })
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/connect/')) sent.push(request.postDataJSON())
  })
  await page.getByRole('button', { name: 'Real verbinden' }).click()
  await page.getByRole('button', { name: 'Real trennen' }).waitFor()
  // Another reload does not repeat it.
  await page.reload()
  await page.getByRole('button', { name: 'Real trennen' }).waitFor()
  expect(sent).toHaveLength(1)
})

test('a user without a password signs in again, and needs none to change something', async () => {
  const ACCOUNT = { DELETION: true, REAUTHENTICATION_REQUIRED: true }
  const site = await openSiteWithProvider({ ACCOUNT })
  const { page, faults } = await site.visit(browser())
  const enter = async () => {
    await site.idp('real').next({ sub: 'ada-there', email: 'ada@example.com' })
    await page.getByRole('button', { name: 'Continue with Real' }).click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  }
  await page.goto('/account/login/')
  await enter()
  await site.clock.advance('1h')
  await page.getByRole('button', { name: 'Disconnect Real' }).click()
  await page.getByText('You will no longer be able to sign in with Real.').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Download your data' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click()
  await enter()

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const leaving = page.getByRole('region', { name: 'Delete your account' })
  const hint = 'Leave it empty if you have no password.'
  await expect
    .poll(() => leaving.getByLabel('Current password').getAttribute('aria-describedby'))
    .toBe(await leaving.getByText(hint).getAttribute('id'))
  await leaving.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor()
  expect(faults.filter((fault) => !fault.startsWith('http'))).toEqual([])
})
