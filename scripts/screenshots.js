// Takes pictures of the hosted pages, as they are built: `node scripts/screenshots.js [folder]`.
// Without a folder only those of the documents are taken, into docs/images.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scenes } from './screenshots/scenes.js'
import { withSite } from './screenshots/with-site.js'

const [given] = process.argv.slice(2)
const target = given ?? fileURLToPath(new URL('../docs/images/', import.meta.url))
/** The pictures in the documents. */
const SHOWN = [
  ...['login-1280-light', 'login-1280-dark', 'account-1280-light'],
  ...['admin-users-1280-light', 'admin-user-1280-light', 'admin-deactivate-1280-dark'],
]

await mkdir(target, { recursive: true })
await withSite({}, async (site, browser) => {
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark']) await takeAll(site, browser, width, colorScheme)
  }
})

async function takeAll(site, browser, width, colorScheme) {
  const wanted = scenes.filter(({ name }) => isWanted(`${name}-${width}-${colorScheme}`))
  if (wanted.length === 0) return
  const viewport = { width, height: 800 }
  const context = await browser.newContext({ baseURL: site.origin, viewport, colorScheme })
  const page = await context.newPage()
  for (const { name, show } of wanted) {
    await context.clearCookies()
    await show(page, site)
    await page.evaluate('document.activeElement.blur()')
    await page.screenshot({
      path: join(target, `${name}-${width}-${colorScheme}.png`),
      fullPage: given !== undefined,
    })
  }
  await context.close()
}

function isWanted(picture) {
  return given !== undefined || SHOWN.includes(picture)
}
