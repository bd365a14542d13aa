import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const KB = 1000

/** What a page loads, from an empty cache on. */
async function loaded(path: string, until: string, before?: (page: never) => Promise<void>) {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page, faults } = await site.visit(browser())
  await before?.(page as never)
  const bodies: Promise<Buffer>[] = []
  const urls: string[] = []
  page.on('response', (response) => {
    if (response.url().startsWith('data:')) return
    urls.push(new URL(response.url()).pathname)
    bodies.push(response.body())
  })
  await page.goto(path)
  await page.getByRole('heading', { name: until }).waitFor()
  await page.waitForLoadState('networkidle')
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length)
  expect(faults).toEqual([])
  return { urls, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

test('the first page is small, and asks for little', async () => {
  const { urls, bytes } = await loaded('/account/login/', 'Sign in')
  // The page, its style, its script, and the offer of passkeys.
  expect(urls.length).toBeLessThanOrEqual(4)
  expect(bytes).toBeLessThan(30 * KB)
})

test('the account page is not much larger', async () => {
  const { bytes } = await loaded('/account/', 'Your account', (page) => logIn(page))
  expect(bytes).toBeLessThan(40 * KB)
})
