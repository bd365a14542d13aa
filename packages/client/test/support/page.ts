import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'rolldown'
import { onTestFinished } from 'vitest'
import type { AuthClient, ClientOptions } from '../../src/index.ts'
import type { Service } from './start-service.ts'

/** What the script of a page finds. */
type Front = {
  auth: AuthClient
  /** What the client has told, in its order. */
  told: string[]
}

const bundles = new Map<string, Promise<string>>()

/** A module of this folder with all that it imports, as one script. */
export function bundle(name: string): Promise<string> {
  const made = bundles.get(name) ?? make(name)
  bundles.set(name, made)
  return made
}

async function make(name: string): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, name),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { format: 'iife' },
    write: false,
  })
  return output[0].code
}

export async function newContext(browser: Browser): Promise<BrowserContext> {
  // The scripts are those of the tests, which the policy of the service's pages does not know.
  const context = await browser.newContext({ bypassCSP: true })
  onTestFinished(() => context.close())
  return context
}

/** A tab with a client in it; `origin` is that of the page, if it is not the service's. */
export async function openTab(
  context: BrowserContext,
  service: Pick<Service, 'url' | 'origin'>,
  options: ClientOptions,
  { origin = service.origin, before = '' } = {},
) {
  const page = await context.newPage()
  const sent: string[] = []
  page.on('request', (request) => {
    const address = request.url()
    if (address.startsWith(service.url) && request.method() !== 'OPTIONS') {
      sent.push(`${request.method()} ${address.slice(service.url.length)}`)
    }
  })
  await page.goto(`${origin}/healthz`)
  await page.addScriptTag({ content: `${before};${await bundle('front.ts')}` })
  await page.evaluate((given) => start(given), { url: service.url, ...options })
  return { page, sent, count: (call: string) => sent.filter((one) => one === call).length }
}

/** As it stands in the page. */
declare const start: (options: ClientOptions) => void

/** What the client in a page knows and has told. */
export const tellsOf = (page: Page) =>
  page.evaluate(() => {
    const { auth, told } = globalThis as unknown as Front
    const { status, user } = auth.state
    return { status, username: user?.username, told }
  })
