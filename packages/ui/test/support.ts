import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Hooks } from '../../server/src/core/hooks.ts'
import { freePort } from '../../server/test/support/browser.ts'
import { startAuth } from '../../server/test/support/start-auth.ts'

export const PASSWORD = 'Nn-5566-yy-lantern'
/** A step that takes longer than this hangs, also on a busy machine. */
const STEP_MS = 60_000

export const ADA = 'ada@example.com'

export type Viewport = { width: number; height: number }
type Look = { colorScheme?: 'light' | 'dark'; viewport?: Viewport; locale?: string }

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

  /** A browser of its own. What it must not do, it is asked about at the end: `faults`. */
  async function visit(browser: Browser, look: Look = {}) {
    const context = await browser.newContext({ ...look, baseURL: origin })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    return { context, page, faults: watch(page, origin) }
  }

  /** The link in the newest letter of that kind. */
  async function linkTo(template: Parameters<typeof auth.mail.newest>[0], address = ADA) {
    return (await auth.mail.newest(template, address)).values.link ?? ''
  }

  return { ...auth, origin, visit, linkTo }
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
