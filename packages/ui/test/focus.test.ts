import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { KEYS } from '../../server/test/support/api-keys.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openTestSite } from './support.ts'

const browser = useBrowser()

/** The name of the field, or the words of the button, that has the focus. */
const focused = (page: Page) =>
  page.evaluate(
    `((one) => one === document.body ? '' : one.name || one.textContent)(document.activeElement)`,
  )

test('a form that opens gets the focus, and gives it back if it is cancelled', async () => {
  const site = await openTestSite({ ...KEYS, ACCOUNT: { DELETION: true } })
  const { page } = await site.visitAs({ username: 'ada', totp: true }, browser())
  for (const [button, field] of [
    ['Change the address', 'email'],
    ['Change the password', 'new_password2'],
    ['Turn off', 'code'],
    ['Create a key', 'name'],
    ['Delete my account', 'password'],
  ] as const) {
    const opener = page.getByRole('button', { name: button, exact: true })
    await opener.press('Enter')
    await expect.poll(() => focused(page), { message: button }).toBe(field)
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
    await opener.waitFor()
    await expect.poll(() => focused(page), { message: button }).toBe(button)
  }
})

test('the field of another page, and of another way, gets the focus', async () => {
  const site = await openTestSite()
  const { password } = await site.user({ username: 'ada', totp: true })
  const { page } = await site.visit(browser())
  await page.goto('/account/login/')
  await expect.poll(() => focused(page)).toBe('username')
  await page.keyboard.type('ada')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByLabel('Code', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('code')
  await page.getByRole('button', { name: 'Use a recovery code instead' }).press('Enter')
  await page.getByLabel('Recovery code').waitFor()
  await expect.poll(() => focused(page)).toBe('code')
})
