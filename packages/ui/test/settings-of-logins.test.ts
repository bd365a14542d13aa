import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

/** Longer than an access token is good. */
const LIFETIME = 5 * 60_000
const JWT = { USE_JWT: true }
const ROTATING = { ROTATE_REFRESH_TOKENS: true, BLACKLIST_AFTER_ROTATION: true }

/** Each changes how the pages use the client. How the client follows a setting is tested with the client. */
test.each([
  [
    'tokens have other names, and another word comes before them',
    {
      ...JWT,
      ANSWER_NAMES: { access: 'access_token', refresh: ['refresh_token'], user: 'profile' },
    },
    { AUTH_HEADER_TYPES: ['JWT'] },
  ],
  ['only the access token is in a cookie', { ...JWT, JWT_AUTH_COOKIE: 'access' }, {}],
  ['only the refresh token is in a cookie', { ...JWT, JWT_AUTH_REFRESH_COOKIE: 'refresh' }, {}],
  [
    'every visitor needs a CSRF token',
    { ...JWT, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
    {},
  ],
])('%s: in, refreshed, still in after a reload, and out', async (_, REST_AUTH, tokens) => {
  const site = await openSite({ REST_AUTH, SIMPLE_JWT: { ...ROTATING, ...tokens } })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page, faults } = await site.visit(browser())
  const title = page.getByRole('heading', { name: 'Your account', exact: true })
  await logIn(page)
  await title.waitFor()
  // The second refresh needs what the first one has left.
  for (const name of ['Ada', 'Augusta']) {
    // A reload could end a refresh whose token the service has already replaced.
    await page.goto('/healthz')
    site.clock.advance(LIFETIME)
    await page.goto('/account/')
    await title.waitFor()
    await page.getByLabel('First name').fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await site.findUser('ada')).toMatchObject({ first_name: name })
  }
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto('/account/')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(faults).toEqual([])
})

const COOKIES = { ...JWT, JWT_AUTH_COOKIE: 'access', JWT_AUTH_REFRESH_COOKIE: 'refresh' }

test.each([
  [{ SESSION_LOGIN: true }, ['token']],
  [COOKIES, ['jwt']],
])('new users sign in if a registration signs nobody in: %o', async (given, classes) => {
  const site = await openSite({
    REST_AUTH: { ...given, VERSION: '6.0.0' },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: classes },
  })
  const { page, faults } = await site.visit(browser())
  // The second time, the first user is still signed in.
  for (const username of ['ada', 'bob']) {
    await page.goto('/account/register/?next=/healthz')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('E-mail address').fill(`${username}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Your account has been created').waitFor()
    expect(await page.getByLabel('Username or e-mail address').inputValue()).toBe(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${site.origin}/healthz`)
  }
  expect(faults).toEqual([])
})
