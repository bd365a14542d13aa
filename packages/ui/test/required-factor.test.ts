import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openTestSite } from './support.ts'

const browser = useBrowser()

test('a user who must set up a second factor sees that, and nothing else', async () => {
  const site = await openTestSite({ MFA_REQUIRED: 'all' })
  const { page, faults } = await site.visitAs({ username: 'ada' }, browser())
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Two-step sign-in',
  ])
  // On a phone, nobody can scan its own screen.
  const link = page.getByText('Open it in an app on this device')
  expect(await link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\//)
  expect(faults).toEqual([])
})
