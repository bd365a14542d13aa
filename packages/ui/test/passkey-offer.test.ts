import { expect, test } from 'vitest'
import { addVirtualAuthenticator, useBrowser } from '../../server/test/support/browser.ts'
import { countRows } from '../../server/test/support/dump.ts'
import { misfitsOn } from './fits.ts'
import { ADA, hold, logIn, openSite, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const WILLING = { transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const

/** A browser with passkeys that adds none by itself, and proposes none at the login. */
const NOT_QUIET = `
  PublicKeyCredential.getClientCapabilities = async () => ({})
  PublicKeyCredential.isConditionalMediationAvailable = async () => false`

test('after a login with a password, the account page begins with the offer of a passkey', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(NOT_QUIET)
  await addVirtualAuthenticator(context, WILLING)
  const first = page.locator('main section').first()
  const isOffer = first.getByRole('heading', { name: 'Passkeys' })
  await logIn(page)
  await isOffer.waitFor()
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(1)
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await misfitsOn(page)).toEqual([])
  // It belongs to the login.
  await page.reload()
  const isUsual = first.getByRole('heading', { name: 'Profile' })
  await isUsual.waitFor()

  await logIn(page)
  await isOffer.waitFor()
  await first.getByRole('button', { name: 'Add a passkey' }).click()
  await first.getByText('Added').waitFor()
  expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0)
  expect(await countRows(site.db, 'passkeys')).toBe(1)
  await logIn(page)
  await isUsual.waitFor()
  await page.getByRole('region', { name: 'Passkeys' }).getByText('Added').waitFor()
  await isUsual.waitFor()
  expect(faults).toEqual([])
})

/** Says that it adds passkeys quietly, and adds none. */
const UNWILLING = `
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  navigator.credentials.create = async () => {
    window.asked = (window.asked ?? 0) + 1
    throw new DOMException('', 'NotAllowedError')
  }`

test('a browser that could add a passkey quietly, and adds none, gets the offer, also after the second step', async () => {
  const site = await openTestSite()
  await site.user({ username: 'ada', password: PASSWORD })
  const { password } = await site.user({ username: 'bob', totp: true })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(UNWILLING)
  await logIn(page)
  await page.getByRole('button', { name: 'Not now' }).waitFor()
  expect(await page.evaluate('asked')).toBe(1)
  await logIn(page, 'bob', password)
  await page.getByLabel('Code', { exact: true }).fill(await site.totp('bob'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Not now' }).waitFor()
  expect(await page.evaluate('window.asked')).toBeUndefined()
  expect(faults).toEqual([])
})

/** Says that it adds passkeys quietly, and refuses when the test says so. The page waits for that. */
const HESITANT = `
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  navigator.credentials.create = () => new Promise((_, reject) => {
    window.refuse = () => reject(new DOMException('', 'NotAllowedError'))
  })
  const wait = setTimeout
  setTimeout = (then, ms, ...rest) => (ms === 300 ? (window.isWaiting = true, 0) : wait(then, ms, ...rest))`

test('a browser that refuses a passkey only after the user is known gets the offer, too', async () => {
  const site = await openTestSite()
  await site.user({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(HESITANT + WATCH_FIRST)
  await logIn(page)
  const isWaiting = () => page.evaluate('window.isWaiting === true && window.refuse !== undefined')
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
  await page.evaluate('refuse()')
  await page.getByRole('button', { name: 'Not now' }).waitFor()
  expect(await page.evaluate('[...firsts]')).toEqual(['Passkeys'])
  expect(faults).toEqual([])
})

test('who declines the offer of a passkey is not asked again in that browser', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(NOT_QUIET)
  await logIn(page)
  await page.getByRole('button', { name: 'Not now' }).press('Enter')
  await page.locator('h1:focus').waitFor()
  await page.getByRole('region', { name: 'Passkeys' }).getByText('Sign in with your').waitFor()
  await page.locator('main section').first().getByRole('heading', { name: 'Profile' }).waitFor()
  const lists: string[] = []
  page.on('request', (one) => one.url().endsWith('/passkeys/') && lists.push(one.url()))
  await logIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
  await page.getByText('This device').waitFor()
  // Once for the list itself, and never to find out whether to offer one.
  expect(lists).toHaveLength(1)
  expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0)
  expect(faults).toEqual([])
})

/** Keeps every heading that was the first one of the page. */
const WATCH_FIRST = `
  window.firsts = new Set()
  new MutationObserver(() => {
    const heading = document.querySelector('main section h2')
    if (heading) firsts.add(heading.textContent)
  }).observe(document, { childList: true, subtree: true })`

test.each([
  ['is offered none', {}, 'Profile'],
  ['is offered one if the service would take it', { MFA_ALLOW_UNVERIFIED_EMAIL: true }, 'Passkeys'],
])('a user whose address is not confirmed %s, and nothing moves', async (_, settings, title) => {
  const site = await openTestSite(settings)
  await site.user({ username: 'ada', email: ADA, password: PASSWORD, verified: false })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(NOT_QUIET + WATCH_FIRST)
  const release = await hold(page, '**/auth/passkeys/')
  const isKnown = page.waitForResponse('**/auth/user/')
  await logIn(page)
  await isKnown
  release()
  await page.getByText('This device').waitFor()
  await page.getByRole('region', { name: 'Passkeys' }).waitFor()
  expect(await page.evaluate('[...firsts]')).toEqual([title])
  expect(faults).toEqual([])
})
