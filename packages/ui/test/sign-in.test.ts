import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { ADA, during, hold, logIn, openSite, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('a login with an unconfirmed address sends the mail that it speaks of', async () => {
  const site = await openSite({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD })
  const { page, faults } = await site.visit(browser())
  await logIn(page, ADA)
  await page.getByText(`We have sent an e-mail to ${ADA}.`).waitFor()
  expect(await site.linkTo('verify-email')).toContain('/confirm/')

  // Soon after that one, the service sends no other.
  await page.route('**/resend-email/', (route) => route.fulfill({ status: 429, json: {} }))
  await logIn(page, ADA)
  await page.getByText(`We have sent an e-mail to ${ADA}.`).waitFor()
  expect(faults).toEqual([])
})

test('a login with the name of an unconfirmed user asks for the address first', async () => {
  const site = await openSite({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD })
  const { page, faults } = await site.visit(browser())
  await logIn(page)
  await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor()
  await page.reload()
  await page.getByText('Your e-mail address is not confirmed yet.').waitFor()
  await expect(site.linkTo('verify-email')).rejects.toThrow()

  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(`We have sent an e-mail to ${ADA}.`).waitFor()
  expect(await site.linkTo('verify-email')).toContain('/confirm/')
  expect(faults).toEqual([])
})

test('a second step that comes too late leads back to the login, and says why', async () => {
  const site = await openTestSite()
  const { password } = await site.user({ username: 'ada', totp: true })
  const { page } = await site.visit(browser())
  await logIn(page, 'ada', password, '?next=/healthz')
  await page.getByLabel('Code', { exact: true }).waitFor()
  await site.clock.advance('1h')
  await page.getByLabel('Code', { exact: true }).fill(await site.totp('ada'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByText('That took too long, or too many codes were wrong. Please sign in again.')
    .waitFor()
  expect(page.url()).toBe(`${site.url}/account/login/?next=%2Fhealthz`)
})

test('a login by code survives a reload until it is done', async () => {
  const site = await openSite({ ACCOUNT: { LOGIN_BY_CODE_ENABLED: true } })
  await site.createUser({ username: 'ada', email: ADA, verified: true })
  const { page } = await site.visit(browser())
  const code = page.getByLabel('Code', { exact: true })
  await page.goto('/account/login/code/')
  await page.getByLabel('Username or e-mail address').fill('ada')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await code.waitFor()
  await page.reload()
  await code.fill((await site.mail.newest('login-code', ADA)).values.code ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Send the code' }).waitFor()
})

test('a link that dies while its form is open leads to the page that says so', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  await site.request.post('password/reset/', { email: ADA })
  const link = await site.linkTo('reset-password')
  const { context, page } = await site.visit(browser())
  const other = await context.newPage()
  await page.goto(link)
  await other.goto(link)
  for (const tab of [other, page]) {
    await tab.getByLabel('New password').fill('Qq-7788-zz-harbour')
    await tab.getByRole('button', { name: 'Set the new password' }).click()
    await tab.getByRole('heading', { name: 'Choose a new password' }).waitFor({ state: 'detached' })
  }
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('a password that is typed before the script arrives stays, and so does its refusal', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD, verified: true })
  await site.request.post('password/reset/', { email: ADA })
  const { page, faults } = await site.visit(browser())
  const release = await hold(page, '**/assets/*.js')
  await page.goto(await site.linkTo('reset-password'), { waitUntil: 'commit' })
  const first = page.locator('[name=new_password1]')
  await first.fill('Qq-7788-zz-harbour')
  release()
  await page.waitForLoadState()
  expect(await first.inputValue()).toBe('Qq-7788-zz-harbour')
  const press = () => page.getByRole('button', { name: 'Set the new password' }).click()
  await page.locator('[name=new_password2]').fill('other')
  await during(page.waitForEvent('load'), press)
  await page.locator('.error').waitFor()
  for (const name of ['new_password1', 'new_password2']) {
    await page.locator(`[name=${name}]`).fill('Qq-7788-zz-harbour')
  }
  await press()
  await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
  expect(faults).toEqual([])
})

test.each([
  ['ada', {}],
  [ADA, { LOGIN_METHODS: ['email'] }],
  [ADA, { SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'] }],
  ['ada', { LOGIN_METHODS: ['username'], SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'] }],
])('password managers are told that the password is that of %s: %o', async (username, settings) => {
  const site = await openTestSite({ ACCOUNT: { DELETION: true, ...settings } })
  const { page } = await site.visitAs({ username: 'ada', email: ADA }, browser())
  for (const [title, button] of [
    ['Password', 'Change the password'],
    ['Delete your account', 'Delete my account'],
  ] as const) {
    const section = page.getByRole('region', { name: title, exact: true })
    await section.getByRole('button', { name: button }).click()
    const hidden = section.locator('[autocomplete=username]')
    expect([await hidden.inputValue(), await hidden.isVisible()]).toEqual([username, false])
  }
})

test('password managers are told the new username of somebody who has changed it', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByLabel('Username').fill('lovelace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const hidden = page.locator('[autocomplete=username]:not([name])')
  expect(await hidden.inputValue()).toBe('lovelace')
})
