import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Hooks } from '../../server/src/core/hooks.ts'
import { startTestService, type UserInput } from '../../server/src/testing.ts'
import { setUpApp, startAdmin } from '../../server/test/support/admin.ts'
import { freePort } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { startAuth } from '../../server/test/support/start-auth.ts'

export const PASSWORD = 'Nn-5566-yy-lantern'
/** A step that takes longer than this hangs, also on a busy machine. */
const STEP_MS = 60_000

export const WORDS = join(import.meta.dirname, '../../server/words')
/** All that the package has. */
export const LANGUAGES = ['en', ...readdirSync(WORDS).map((file) => file.replace('.json', ''))]

export const ADA = 'ada@example.com'

export type Viewport = { width: number; height: number }
type Look = {
  colorScheme?: 'light' | 'dark'
  viewport?: Viewport
  locale?: string
  timezoneId?: string
}

/** The service on a real port, to be visited by real browsers. */
export async function openSite(
  settings: object = {},
  given?: number,
  startAt?: number,
  hooks: Hooks = {},
) {
  const port = given ?? (await freePort())
  const auth = await startAuth(
    { PORT: port, SITE_NAME: 'Example', ...settings },
    startAt === undefined ? { hooks } : { hooks, startAt },
  )
  await auth.app.listen({ host: 'localhost', port })
  const origin = `http://localhost:${port}`

  /** The link in the newest letter of that kind. */
  async function linkTo(template: Parameters<typeof auth.mail.newest>[0], address = ADA) {
    return (await auth.mail.newest(template, address)).values.link ?? ''
  }

  return { ...auth, origin, visit: visitorsOf(origin), linkTo }
}

/** The service that we give to others for their tests, to be visited by real browsers. */
export async function openTestSite(settings: object = {}) {
  const site = await startTestService({
    settings: { SITE_NAME: 'Example', LOG_LEVEL: 'silent', ...settings },
  })
  onTestFinished(site.stop)
  const visit = visitorsOf(site.url)

  /** A browser in which a new user is signed in, since a while. */
  async function visitAs(input: UserInput, browser: Browser, age: '0s' | '1h' = '0s') {
    const user = await site.user(input)
    const username = input.username ?? String(user.user.username)
    const { cookies } = await site.login({ user: username, age, mode: 'session' })
    const visited = await visit(browser)
    await visited.context.addCookies([...cookies])
    await visited.page.goto('/account/')
    return { ...visited, ...user }
  }

  return { ...site, visit, visitAs }
}

/** The admin pages on a real port. */
export async function openAdmin(settings: object = {}) {
  const port = await freePort()
  const started = await startAdmin({
    ADMIN_LISTEN: `127.0.0.1:${port}`,
    SITE_NAME: 'Example',
    ...settings,
  })
  await started.adminApp.listen({ host: 'localhost', port })
  const origin = `http://localhost:${port}`
  const visit = visitorsOf(origin)

  /** A browser in which an operator is signed in, and the next code of their app. */
  async function visitAs(username: string, flags: Flags, browser: Browser, look: Look = {}) {
    await started.createOperator(username, flags)
    const { browser: client, secret } = await setUpApp(started, username, origin)
    const visited = await visit(browser, look)
    const cookies = ['latchkey_admin', 'latchkey_admin_csrf'].map((name) => ({
      name,
      value: client.cookie(name),
      url: `${origin}/admin/`,
    }))
    await visited.context.addCookies(cookies)
    /** Each code is good once. */
    const nextCode = () => {
      started.clock.advance(30_000)
      return codeOf(started, secret)
    }
    return { ...visited, nextCode }
  }

  return { ...started, origin, visit, visitAs }
}

type Flags = Parameters<Awaited<ReturnType<typeof startAdmin>>['createOperator']>[1]

/** A browser of its own. What it must not do, it is asked about at the end: `faults`. */
const visitorsOf =
  (origin: string) =>
  async (browser: Browser, look: Look = {}) => {
    const context = await browser.newContext({ ...look, baseURL: origin })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    return { context, page, faults: watch(page, origin) }
  }

/** Whatever the policy of the page forbade, any script that broke, and any request to elsewhere. */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) faults.push(url)
  })
  return faults
}

/** A browser whose user gives no passkey. One without any authenticator would now and then break down. */
export const GIVES_NO_PASSKEY = `navigator.credentials.get = async () => {
  throw new DOMException('', 'NotAllowedError')
}`

/**
 * What the page does while something is done to it. Where that fails, so does the waiting, and a rejection
 * that nobody waits for would end the whole run.
 */
export async function during<T>(event: Promise<T>, act: () => Promise<unknown>): Promise<T> {
  const [happened] = await Promise.all([event, act()])
  return happened
}

/** Types the name and the password of somebody, and presses the button. */
export async function logIn(
  page: Page,
  name = 'ada',
  password = PASSWORD,
  query = '',
): Promise<void> {
  await page.goto(`/account/login/${query}`)
  await page.getByLabel('Username or e-mail address').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Keeps all requests to an address waiting until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await held
    await route.continue()
  })
  return release
}
