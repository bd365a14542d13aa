import { expect, test } from 'vitest'
import { setUpApp } from '../../server/test/support/admin.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { PASSWORD as OPERATORS } from '../../server/test/support/start-auth.ts'
import { ADA, during, logIn, openAdmin, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('a visitor who is sent to the login can still go back', async () => {
  const site = await openSite()
  const { page } = await site.visit(browser())
  for (const path of ['/account/', '/account/two-factor/']) {
    await page.goto('/healthz')
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(page.url()).toBe(`${site.origin}/account/login/`)
    await page.goBack()
    expect(page.url()).toBe(`${site.origin}/healthz`)
  }
})

test('after a reload, a forgotten password is still what the mail is about', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD })
  const { page } = await site.visit(browser())
  await page.goto('/account/password/reset/')
  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.reload()
  await page.getByLabel('E-mail address').fill(ADA)
  const asked = await during(
    page.waitForRequest((request) => request.method() === 'POST'),
    () => page.getByRole('button', { name: 'Send it again' }).click(),
  )
  expect(asked.url()).toBe(`${site.origin}/auth/password/reset/`)
})

const BOB = 'bob@example.com'

test('a login in another tab shows that user in this tab, also while it waits for the one before', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', email: ADA, password: PASSWORD })
  await site.createUser({ username: 'bob', email: BOB, password: PASSWORD })
  const { context, page } = await site.visit(browser())
  await logIn(page)
  await page.getByText(`Your address is ${ADA}`).waitFor()
  const other = await context.newPage()
  await logIn(other, 'bob')
  await other.getByText(`Your address is ${BOB}`).waitFor()
  await page.getByText(`Your address is ${BOB}`).waitFor()

  let release = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    const isReleased = new Promise<void>((then) => {
      release = then
    })
    void page.route(
      '**/auth/user/',
      async (route) => {
        const response = await route.fetch()
        resolve()
        await isReleased
        await route.fulfill({ response })
      },
      { times: 1 },
    )
  })
  await page.reload()
  await isAnswered
  await logIn(other)
  await other.getByText(`Your address is ${ADA}`).waitFor()
  release()
  await page.getByText(`Your address is ${ADA}`).waitFor()
  expect(await page.getByLabel('Username').inputValue()).toBe('ada')
})

test('the same for operators: nothing of the one before is left', async () => {
  const site = await openAdmin()
  const { context, page, faults } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto('/admin/users/new/')
  await page.getByLabel('Username').fill('grace')
  await site.createOperator('boss', { staff: true })
  const { secret } = await setUpApp(site, 'boss', site.origin)
  const other = await context.newPage()
  await other.goto('/admin/')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('Username or e-mail address').fill('boss')
  await other.getByLabel('Password', { exact: true }).fill(OPERATORS)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  site.clock.advance(30_000)
  await other.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await other.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'boss' }).waitFor()
  expect(await page.getByLabel('Username').inputValue()).toBe('')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('after a login, an account page without its script or its data is loaded again', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page } = await site.visit(browser())
  for (const [type, url] of [
    ['script', /\/assets\/account-/],
    ['fetch', /\/account\/$/],
  ] as const) {
    let isGone = true
    await page.route(url, (route) => {
      if (!isGone || route.request().resourceType() !== type) return route.fallback()
      isGone = false
      return route.abort()
    })
    await logIn(page)
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect(isGone, type).toBe(false)
    await context.clearCookies()
  }
})

test('an account page that cannot be loaded says so', async () => {
  const site = await openSite()
  const { page } = await site.visit(browser())
  await page.route(/\/assets\/account-/, (route) => route.abort())
  await page.goto('/account/')
  await page.getByRole('alert').getByText('We could not reach the service.').waitFor()
})
