import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { LANGUAGES, logIn, openAdmin, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const KB = 1000

/** What a page asks for until it is complete, and how much that is, compressed. */
async function load(page: Page, path: string, heading: string) {
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (!response.url().startsWith('data:')) bodies.push(response.body())
  })
  await page.goto(path)
  await page.getByRole('heading', { name: heading }).waitFor()
  await page.waitForLoadState('networkidle')
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length)
  return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

test('the first page is small, and asks for little', async () => {
  const site = await openSite()
  const { page, faults } = await site.visit(browser())
  const { requests, bytes } = await load(page, '/account/login/', 'Sign in')
  // The page, its style, its script, and the offer of passkeys.
  expect(requests).toBeLessThanOrEqual(4)
  expect(bytes).toBeLessThan(30 * KB)
  expect(faults).toEqual([])
})

test('it is small in every language, and brings only its own words', async () => {
  const site = await openSite()
  const get = async (url: string, language = 'en') => {
    const { rawPayload } = await site.app.inject({ url, headers: { 'accept-language': language } })
    return rawPayload
  }
  const english = String(await get('/account/login/'))
  const files = [...english.matchAll(/"(\/account\/assets\/[^"]+)"/g)].map(([, file = '']) =>
    get(file),
  )
  const shared = (await Promise.all(files)).reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect(files).toHaveLength(2)
  for (const language of LANGUAGES) {
    const page = await get('/account/login/', language)
    expect(gzipSync(page).length + shared, language).toBeLessThan(30 * KB)
    // The API says these itself.
    expect(String(page).includes('"answers":{}'), language).toBe(language === 'en')
    expect(String(page), 'what only operators meet').not.toContain('"equal_or_above"')
  }
})

test('the account page is not much larger', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { context, page, faults } = await site.visit(browser())
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  // In a tab of its own, where nothing else is still loading.
  const { bytes } = await load(await context.newPage(), '/account/', 'Your account')
  expect(bytes).toBeLessThan(40 * KB)
  expect(faults).toEqual([])
})

test('the pages for operators are small, too, and only where they belong', async () => {
  const site = await openAdmin()
  const { context, page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const { requests, bytes } = await load(page, '/admin/', 'Users')
  // The page, its style, its script, the session, and the users.
  expect(requests).toBeLessThanOrEqual(5)
  expect(bytes).toBeLessThan(40 * KB)
  expect(faults).toEqual([])

  const headers = { 'accept-language': 'de' }
  const german = await site.adminApp.inject({ url: '/admin/', headers })
  for (const code of ['equal_or_above', 'mail_limit_reached']) {
    expect(german.body, 'what only operators meet').toContain(`"${code}"`)
  }

  const script = await page.locator('script[src]').getAttribute('src')
  expect((await context.request.get(script ?? '')).status()).toBe(200)
  for (const path of ['/admin/', script ?? '', script?.replace('/admin/', '/account/') ?? '']) {
    expect((await site.app.inject(path)).statusCode, path).toBe(404)
  }
})
