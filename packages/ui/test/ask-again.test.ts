import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { ADA, logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('a step that needs a recent login asks for it, and continues', async () => {
  const site = await openSite({ ACCOUNT: { REAUTHENTICATION_REQUIRED: true } })
  await site.createUser({ username: 'ada', email: ADA, verified: true, password: PASSWORD })
  const { page, faults } = await site.visit(browser())
  await logIn(page)
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.waitFor()
  site.clock.advance(site.settings.ACCOUNT.REAUTHENTICATION_TIMEOUT + 1000)

  await begin.click()
  const dialog = page.getByRole('dialog', { name: 'Is it really you?' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('Invalid password.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(await dialog.count()).toBe(0)
  expect(faults).toEqual([])
})

test('a user who cancels the dialog stays where they are', async () => {
  const site = await openSite({ ACCOUNT: { REAUTHENTICATION_REQUIRED: true } })
  await site.createUser({ username: 'ada', email: ADA, verified: true, password: PASSWORD })
  const { page } = await site.visit(browser())
  await logIn(page)
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.waitFor()
  site.clock.advance(site.settings.ACCOUNT.REAUTHENTICATION_TIMEOUT + 1000)
  await begin.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Please confirm first that it is you.').waitFor()
  await begin.waitFor()
})
