import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium as driver } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { browserForTests, NO_BROWSER } from '../../../../scripts/browser/find-browser.js'
import type { Reply } from './client.ts'
import { startAuth } from './start-auth.ts'

/** A browser for the tests of one file. Without a browser they are skipped. */
export function useBrowser(): () => Browser {
  let started: Started | null = null
  beforeAll(async () => {
    started = await startBrowser()
  })
  beforeEach(({ skip }) => skip(started === null, NO_BROWSER))
  afterAll(() => started?.stop())

  return () => {
    if (!started) throw new Error('The browser is not started yet.')
    return started.browser
  }
}

type Started = { browser: Browser; stop(): Promise<void> }

/** A real Chromium. It leaves no files behind. */
async function startBrowser(): Promise<Started | null> {
  const found = browserForTests()
  if (!found) return null

  const folder = await mkdtemp(join(tmpdir(), 'latchkey-chromium-'))
  const browser = await driver.launch({
    executablePath: 'path' in found ? found.path : await unpackInto(folder),
    // Not the arguments of the package, since they switch off security checks of the browser.
    args: [
      // Containers and root have no sandbox. That is safe, since all pages are ours.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
  return {
    browser,
    async stop() {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The package unpacks to the temporary folder, where two parallel runs would collide. */
async function unpackInto(folder: string): Promise<string> {
  const { default: chromium } = await import('@sparticuz/chromium')
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

/** The service on a real port, and a page of it in the browser with the script of a front end. */
export async function openFrontEnd(browser: Browser) {
  const port = await freePort()
  const auth = await startAuth({ PORT: port })
  await auth.app.listen({ host: 'localhost', port })

  // Any page of the service works. Its policy forbids all scripts, also those of the test.
  const context = await browser.newContext({ bypassCSP: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`http://localhost:${port}/healthz`)
  await page.addScriptTag({ path: join(import.meta.dirname, 'passkey-page.js') })

  const run = (call: string, ...args: unknown[]): Promise<Pick<Reply, 'status' | 'body'>> =>
    page.evaluate(`frontEnd.${call}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`)
  return { auth, context, page, run }
}

type AuthenticatorOptions = {
  transport: 'internal' | 'usb'
  hasResidentKey: boolean
  hasUserVerification: boolean
}

/** The virtual authenticator of the browser, which always agrees. */
export async function addVirtualAuthenticator(
  context: BrowserContext,
  options: AuthenticatorOptions,
): Promise<void> {
  const [page] = context.pages()
  if (!page) throw new Error('There is no page.')
  const protocol = await context.newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      isUserVerified: options.hasUserVerification,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, 'localhost', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
