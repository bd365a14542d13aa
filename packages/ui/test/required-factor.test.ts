import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { ADA, logIn, openSite, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('a user who must set up a second factor sees nothing else until it is set up', async () => {
  const site = await openSite({ MFA_REQUIRED: 'all' })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  const { page, faults } = await site.visit(browser())
  await logIn(page)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Two-step sign-in',
  ])
  // On a phone, nobody can scan its own screen.
  const link = page.getByText('Open it in an app on this device')
  expect(await link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\//)

  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).press('Enter')
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
  await page.locator('h1:focus', { hasText: 'Your account' }).waitFor()
  expect(faults).toEqual([])
})

test('a user whose address is not confirmed can do that first', async () => {
  const site = await openTestSite({ MFA_REQUIRED: 'all' })
  const ada = { username: 'ada', email: ADA, verified: false }
  const { page, faults } = await site.visitAs(ada, browser())
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.click()
  await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor()
  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.goto((await site.letter({ to: ADA })).link ?? '')
  await page.getByRole('button', { name: 'Yes, confirm' }).click()
  await page.goto('/account/')
  await begin.click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(faults).toEqual([])
})

test('signing out and in again does not lead past it, to where the first login wanted', async () => {
  const site = await openSite({ MFA_REQUIRED: 'all', REST_AUTH: { USE_JWT: true } })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  const { page } = await site.visit(browser())
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' })
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  await setUp.waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Username or e-mail address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await setUp.waitFor()
  expect(page.url()).toBe(`${site.origin}/account/?next=%2Fhealthz`)
})

test('after a reload, the page that was asked for still follows', async () => {
  const site = await openSite({ MFA_REQUIRED: 'all' })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  const { page, faults } = await site.visit(browser())
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.waitFor()
  await page.reload()
  await begin.click()
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.waitForURL(`${site.origin}/healthz`)
  expect(faults).toEqual([])
})

test.each([
  ['a session', {}],
  ['JSON Web Tokens', { USE_JWT: true }],
])('%s: if the answer is lost, another attempt shows the recovery codes', async (_, REST_AUTH) => {
  const site = await openSite({ MFA_REQUIRED: 'all', REST_AUTH })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  const { page } = await site.visit(browser())
  await logIn(page)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = (await page.locator('code').textContent()) ?? ''
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/mfa/totp/activate/', lose, { times: 1 })
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('We could not reach the service.').waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.locator('.codes li').first().waitFor()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
})

test('whoever was slower than another tab hears that their secret is not the one', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  const { context, page } = await site.visit(browser())
  const begin = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Set up an authenticator app' }).click()
    return (await tab.locator('code').textContent()) ?? ''
  }
  const turnOn = async (tab: Page, secret: string) => {
    await tab.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
    await tab.getByRole('button', { name: 'Turn on' }).click()
  }
  await logIn(page)
  const unused = await begin(page)
  const other = await context.newPage()
  await other.goto('/account/')
  await turnOn(other, await begin(other))
  await other.locator('.codes li').first().waitFor()
  await turnOn(page, unused)
  await page.getByText('MFA is already enabled.').waitFor()
  expect(await page.locator('.codes').count()).toBe(0)
})
