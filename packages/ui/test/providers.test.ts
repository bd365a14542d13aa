import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openTestSite } from './support.ts'

const browser = useBrowser()

const APP = { provider_id: 'real', name: 'Real', client_id: 'latchkey', secret: 'a secret' }
const APPS = [{ ...APP, settings: { server_url: 'test:' } }]

const openSiteWithProvider = () =>
  openTestSite({
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
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await page.getByLabel('Code', { exact: true }).fill(await site.totp('grace'))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(`${site.url}/healthz`)
})

test('somebody who changes their mind at the provider is told so', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await site.idp('real').next({ error: 'access_denied' })
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Continue with Real' }).click()
  await page.waitForURL(/\/account\/callback\/real/)
  await page.getByRole('alert').waitFor()
  expect(await site.events()).toEqual([])
})

test('an answer that this tab has not asked for is refused', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await page.goto('/account/callback/real?code=stolen&state=unknown')
  await page.getByText('This sign-in did not start here').waitFor()
  expect(page.url()).not.toContain('stolen')
  expect(await site.events()).toEqual([])
})
