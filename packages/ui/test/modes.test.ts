import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test.each([
  ['session', { TOKEN_MODEL: null }],
  ['jwt-cookie', { USE_JWT: true, JWT_AUTH_COOKIE: 'access', JWT_AUTH_REFRESH_COOKIE: 'refresh' }],
  ['jwt', { USE_JWT: true }],
  ['token', { SESSION_LOGIN: false }],
])('%s: in, still in after a reload, changing something, and out', async (mode, REST_AUTH) => {
  const site = await openSite({ REST_AUTH })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  const title = page.getByRole('heading', { name: 'Your account', exact: true })
  await logIn(page)
  await title.waitFor()
  await page.reload()
  await title.waitFor()
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await site.findUser('ada')).toMatchObject({ first_name: 'Ada' })

  // A tab of its own has the cookie, but never a token.
  const other = await context.newPage()
  await other.goto('/account/')
  const hasCookie = mode === 'session' || mode === 'jwt-cookie'
  await other
    .getByRole('heading', { level: 1, name: hasCookie ? 'Your account' : 'Sign in' })
    .waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto('/account/')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(faults).toEqual([])
})

test('?next= is where a login leads, and a foreign one leads nowhere', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page } = await site.visit(browser())
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  await page.waitForURL(`${site.origin}/healthz`)
  await logIn(page, 'ada', PASSWORD, '?next=//evil.example')
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
})
