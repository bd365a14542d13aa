import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { during, GIVES_NO_PASSKEY, hold, openTestSite } from './support.ts'

const browser = useBrowser()

/** A page of a user who has logged in an hour ago. */
async function openOldPage() {
  const site = await openTestSite({ ACCOUNT: { REAUTHENTICATION_REQUIRED: true } })
  const { page, password, faults } = await site.visitAs({ username: 'ada' }, browser(), '1h')
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.click()
  return { page, password, faults, begin }
}

test('a step that needs a recent login asks for it, and continues', async () => {
  const { page, password, faults } = await openOldPage()
  const dialog = page.getByRole('dialog', { name: 'Is it really you?' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('Invalid password.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(await dialog.count()).toBe(0)
  expect(faults).toEqual([])
})

test('other ways may fail or be left, and a user who cancels stays where they are', async () => {
  const { page, begin } = await openOldPage()
  await page.evaluate(GIVES_NO_PASSKEY)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await dialog.locator('.notice.bad').waitFor()
  // A passkey that the browser does not give is no trouble of the network.
  expect(await dialog.locator('.notice.bad').textContent()).toContain('No passkey was used.')

  await dialog.getByRole('button', { name: 'Use a code from your authenticator app' }).click()
  const field = dialog.getByLabel('Code from your authenticator app, or a recovery code')
  // A recovery code has letters.
  expect(await field.getAttribute('inputmode')).toBe(null)

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Please confirm first that it is you.').waitFor()
  await begin.waitFor()
})

test('two steps at the same time ask once, and both continue', async () => {
  const { page, password, begin } = await openOldPage()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  // Nobody can press a second button while the dialog is open, but a slow answer can come then.
  const download = page.getByRole('button', { name: 'Download your data' })
  const refused = await during(
    page.waitForResponse((answer) => answer.url().endsWith('/account/export/')),
    () => download.dispatchEvent('click'),
  )
  expect(refused.status()).toBe(403)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await during(page.waitForEvent('download'), async () => {
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByAltText('QR code for your authenticator app').waitFor()
  })
  expect(await begin.count()).toBe(0)
  expect(await dialog.count()).toBe(0)
})

test('a late answer to a question that was closed leaves the next one open', async () => {
  const { page, password, begin } = await openOldPage()
  const dialog = page.getByRole('dialog')
  const confirm = async () => {
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }
  const release = await hold(page, '**/reauthenticate/')
  await confirm()
  await page.keyboard.press('Escape')
  await begin.click()
  await dialog.waitFor()
  await during(page.waitForResponse('**/reauthenticate/'), async () => release())
  await confirm()
  await page.getByAltText('QR code for your authenticator app').waitFor()
})
