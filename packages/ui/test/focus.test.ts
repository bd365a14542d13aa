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

test('what cannot be undone asks first; afterwards the heading has the focus', async () => {
  const site = await openTestSite({ ACCOUNT: { DELETION: true } })
  const { page, password } = await site.visitAs(
    { username: 'ada', totp: true, passkey: true },
    browser(),
  )
  await site.login({ user: 'ada', mode: 'session' })
  await page.reload()
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const isFocused = (words: string) => expect.poll(() => focused(page)).toBe(words)

  await button('Sign out latchkey').first().press('Enter')
  await isFocused('Devices')
  await button('Show recovery codes').press('Enter')
  await isFocused('Two-step sign-in')
  const before = await page.locator('.codes').textContent()
  await button('I have saved them').press('Enter')
  await isFocused('Two-step sign-in')

  await button('Generate new codes').press('Enter')
  await isFocused('Your old recovery codes stop working at once.')
  await button('Cancel').press('Enter')
  await isFocused('Generate new codes')
  await button('Generate new codes').press('Enter')
  await isFocused('Your old recovery codes stop working at once.')
  await button('Generate new codes').press('Enter')
  await isFocused('Two-step sign-in')
  expect(await page.locator('.codes').textContent()).not.toBe(before)
  await button('I have saved them').click()

  await button(/^Remove .+/).press('Enter')
  await page.getByText('You will no longer be able to sign in with the passkey').waitFor()
  await button('Cancel').press('Enter')
  await isFocused('Remove')
  await button(/^Remove .+/).press('Enter')
  await button('Remove').press('Enter')
  await isFocused('Passkeys')
  expect(await button(/^Remove .+/).count()).toBe(0)

  // A recovery code has letters.
  for (const name of ['Turn off', 'Delete my account']) {
    await button(name).click()
    await page.getByLabel('Code from your authenticator app, or a recovery code').waitFor()
    expect(await page.locator('[name=code]').getAttribute('inputmode')).toBe(null)
    await button('Cancel').click()
  }

  await button('Change the password').press('Enter')
  await page.getByLabel('New password').fill(`${password}-2`)
  await page.keyboard.press('Enter')
  await isFocused('Password')
})
