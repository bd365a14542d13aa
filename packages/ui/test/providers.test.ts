import { expect, test } from 'vitest'
import { freePort, useBrowser } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { startOpenIdProvider } from '../../server/test/support/openid-provider.ts'
import { openSite } from './support.ts'

const browser = useBrowser()

async function openSiteWithProvider() {
  const port = await freePort()
  const callback = `http://localhost:${port}/account/callback/real`
  const app = { client_id: 'latchkey', secret: 'a secret' }
  const provider = await startOpenIdProvider([
    { client_id: app.client_id, client_secret: app.secret, redirect_uris: [callback] },
  ])
  const settings = { server_url: provider.url }
  const APPS = [{ provider_id: 'real', name: 'Real', ...app, settings }]
  return openSite({ SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } } }, port, Date.now())
}

test('a visitor goes to a provider and comes back signed in, also with a second step', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Continue with Real' }).click()
  await page.locator('input[name=login]').fill('ada-at-the-provider')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.findUser('ada')).toMatchObject({ email: 'ada@example.com' })
  expect(page.url()).toBe(`${site.origin}/account/`)

  // The page that was asked for is not forgotten on the way.
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const security = page.getByRole('region', { name: 'Two-step sign-in' })
  const secret = (await security.locator('code').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.goto('/account/login/?next=/healthz')
  await page.getByRole('button', { name: 'Continue with Real' }).click()
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  site.clock.advance(30_000)
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(`${site.origin}/healthz`)
})

test('an answer that this tab has not asked for is refused', async () => {
  const site = await openSiteWithProvider()
  const { page } = await site.visit(browser())
  await page.goto('/account/callback/real?code=stolen&state=unknown')
  await page.getByText('This sign-in did not start here').waitFor()
  expect(page.url()).not.toContain('stolen')
  expect(await site.db.selectFrom('users').selectAll().execute()).toEqual([])
})
