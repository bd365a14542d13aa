import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { ADA, hold, logIn, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const DOWN = { status: 503, json: { detail: 'Not now.' } }

test('a list that cannot be loaded says so, until it is loaded', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  for (let nth = 0; nth < 2; nth++) await site.login({ user: 'ada', mode: 'session' })
  await page.reload()
  const devices = page.getByRole('region', { name: 'Devices' })
  const others = devices.locator('li').getByRole('button')
  await page.getByText('This device').waitFor()
  const count = await others.count()
  await page.route('**/sessions/', (route) => route.fulfill(DOWN), { times: 1 })
  await others.first().click()
  await devices.getByText('Something went wrong on our side.').waitFor()
  await others.last().click()
  await expect.poll(() => others.count()).toBe(count - 2)
  expect(await devices.locator('.notice.bad').count()).toBe(0)
})

test('an address that cannot be loaded after a change says so', async () => {
  const site = await openTestSite()
  const ada = { username: 'ada', email: ADA, verified: true }
  const { page, password } = await site.visitAs(ada, browser())
  const section = page.getByRole('region', { name: 'E-mail address' })
  await section.getByRole('button', { name: 'Change the address' }).click()
  await section.getByLabel('New e-mail address').fill('ada@new.example')
  await section.getByLabel('Current password').fill(password)
  await section.getByRole('button', { name: 'Send the link' }).click()
  const drop = section.getByRole('button', { name: 'Cancel the change' })
  await drop.waitFor()
  await page.route('**/email/', (route) => route.fulfill(DOWN))
  await page.route('**/email/change/', (route) => route.fulfill({ json: {} }))
  await drop.click()
  await section.getByText('Something went wrong on our side.').waitFor()
})

test('a refusal with the same words as the one before is announced, too', async () => {
  const site = await openTestSite()
  const { page } = await site.visit(browser())
  await logIn(page, 'ada', 'wrong')
  const told = page.getByRole('alert').getByText('The name or the password is wrong.')
  await told.waitFor()
  const first = await told.elementHandle()
  const answered = page.waitForResponse('**/auth/login/')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await answered
  await told.waitFor()
  // Screen readers announce what is added to the page.
  expect(await first?.isVisible()).toBe(false)
})

test('a slow account page shows its frame, and an ended login is told', async () => {
  const site = await openTestSite()
  await site.user({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  const release = await hold(page, '**/auth/user/')
  await logIn(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('banner').getByText('Example').isVisible()).toBe(true)
  release()
  await page.getByLabel('First name').fill('Ada')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You have been signed out. Please sign in again.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('You have been signed out.').count()).toBe(0)
  expect(faults).toEqual([])
})

test('a success does not stay above a later refusal', async () => {
  const site = await openTestSite()
  const ada = { username: 'ada', email: ADA, verified: false }
  const { page, password } = await site.visitAs(ada, browser())
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const good = page.locator('.notice.good')
  const isRefused = async () => {
    await page.locator('.notice.bad, .error').first().waitFor()
    expect(await good.count()).toBe(0)
  }

  await press('Send the confirmation e-mail')
  await good.getByText('Sent. Check your mailbox.').waitFor()
  await press('Change the address')
  await press('Send the link')
  await isRefused()
  await press('Cancel')

  await press('Change the password')
  await page.getByLabel('New password').fill(`${password}-2`)
  await press('Set the new password')
  await good.getByText('Your password has been changed.').waitFor()
  await press('Change the password')
  await page.getByLabel('New password').fill('123')
  await press('Set the new password')
  await isRefused()
  await press('Cancel')

  // Another login that began a moment later is still in the list.
  await site.login({ user: 'ada', mode: 'session' })
  await page.reload()
  await page.route('**/sessions/*/', (route) => route.fulfill(DOWN))
  await page.route('**/sessions/end-others/', (route) => route.fulfill({ json: {} }))
  await press('Sign out everywhere else')
  await good.getByText('Signed out everywhere else.').waitFor()
  await page.getByRole('region', { name: 'Devices' }).locator('li button').first().click()
  await isRefused()

  await page.goto('/account/check-your-mail/?about=password')
  await page.getByLabel('E-mail address').fill(ADA)
  await press('Send it again')
  await good.getByText('Sent again.').waitFor()
  await page.route('**/password/reset/', (route) => route.fulfill(DOWN))
  await press('Send it again')
  await isRefused()
})

test('an app that is set up too late starts again, and says why', async () => {
  const site = await openTestSite()
  const { page, faults } = await site.visitAs({ username: 'ada' }, browser())
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  const begin = section.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.click()
  await section.getByLabel('Code', { exact: true }).fill('123456')
  await site.clock.advance('1h')
  await section.getByRole('button', { name: 'Turn on' }).click()
  await section.getByText('That took too long. Please start again.').waitFor()
  await page.locator('h2:focus', { hasText: 'Two-step sign-in' }).waitFor()
  await begin.click()
  await section.getByAltText('QR code for your authenticator app').waitFor()
  expect(await section.locator('.notice.bad').count()).toBe(0)
  expect(faults).toEqual([])
})

test('nothing closes a form until its request has ended', async () => {
  const site = await openTestSite({ ACCOUNT: { DELETION: true } })
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  const section = page.getByRole('region', { name: 'Delete your account' })
  const press = (name: string) => section.getByRole('button', { name, exact: true }).click()
  const release = await hold(page, '**/account/delete/')
  await press('Delete my account')
  await section.getByLabel('Current password').fill('wrong')
  await press('Delete for good')
  await press('Cancel')
  release()
  await section.getByText('Invalid password.').waitFor()
  await press('Cancel')
  await section.getByRole('button', { name: 'Delete my account' }).waitFor()
})
