import { expect, test } from 'vitest'
import { addToBrowser } from '../../server/src/testing/virtual-authenticator.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('a passkey of the test service signs in', async () => {
  const site = await openTestSite()
  const { passkey } = await site.user({ username: 'ada', passkey: true })
  const { context, page, faults } = await site.visit(browser())
  // The virtual authenticator would take every offer at once, so none is made.
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  await addToBrowser(context, page, passkey)
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.events({ type: 'signedIn' })).toMatchObject([
    { method: 'passkey', user: { username: 'ada' } },
  ])
  expect(faults).toEqual([])
})

/** Says that it adds passkeys quietly, and never answers when asked to. The time for that never ends. */
const SILENT_BROWSER = `
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  navigator.credentials.create = () => (window.isAsked = true, new Promise(() => {}))
  const wait = setTimeout
  setTimeout = (then, ms, ...rest) => (ms === 1500 ? (window.giveUp = then, 0) : wait(then, ms, ...rest))`

test('a browser that is asked for a passkey and stays silent keeps nobody waiting', async () => {
  const site = await openTestSite()
  await site.user({ username: 'ada', password: PASSWORD })
  const { context, page } = await site.visit(browser())
  await context.addInitScript(SILENT_BROWSER)
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await page.evaluate('isAsked')).toBe(true)

  // From then on it is not asked again, also before a page that would have to wait for it.
  await page.evaluate('giveUp()')
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  await page.waitForURL(`${site.url}/healthz`)
})
