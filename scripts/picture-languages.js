// Takes pictures of some pages and a letter in every language, on a phone and on a desk:
// `node scripts/picture-languages.js <folder>`. Sheets with all languages are in the folder, too.
// Debian needs fonts for all of them: `apt-get install fonts-noto-core fonts-noto-cjk`.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PASSWORD } from './screenshots/site.js'
import { withSite } from './screenshots/with-site.js'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder for the pictures.')
const WIDTHS = [360, 1280]
const shipped = await readdir(new URL('../packages/server/words/', import.meta.url))
const languages = ['en', ...shipped.map((file) => file.replace('.json', ''))]
const settings = {
  LANGUAGES: JSON.stringify(languages),
  REST_AUTH_USER_DETAILS_SERIALIZER: JSON.stringify({
    fields: ['pk', 'username', 'email', 'first_name', 'last_name', 'language'],
  }),
}

/** What is shown, and how one gets there. Nothing here depends on the words. */
const SCENES = {
  letter: showLetter,
  login: (page) => open(page, 'login/'),
  'login-refused': (page) => logIn(page, 'nobody', 'wrong', '.notice'),
  register: (page) => open(page, 'register/'),
  'register-refused': weakPassword,
  account: (page, { username }) => logIn(page, username, PASSWORD, '.badge.good'),
}

await mkdir(folder, { recursive: true })
await withSite(settings, async (site, browser) => {
  for (const width of WIDTHS) {
    for (const language of languages) await takeAll(site, browser, width, language)
    for (const scene of Object.keys(SCENES)) await gather(browser, scene, width)
  }
})

async function takeAll(site, browser, width, language) {
  const username = `ada-${language}-${width}`
  await site.register(username, { 'accept-language': language })
  const viewport = { width, height: 800 }
  const context = await browser.newContext({ baseURL: site.origin, viewport, locale: language })
  const page = await context.newPage()
  for (const [name, show] of Object.entries(SCENES)) {
    await context.clearCookies()
    await show(page, { site, username })
    await page.evaluate('document.activeElement?.blur()')
    await page.screenshot({ path: pictureOf(name, width, language), fullPage: true })
  }
  await context.close()
}

function pictureOf(scene, width, language) {
  return join(folder, `${scene}-${width}-${language}.png`)
}

async function open(page, path) {
  await page.goto(`/account/${path}`)
  await page.locator('form').first().waitFor()
}

async function logIn(page, username, password, then) {
  await open(page, 'login/')
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('[type=submit]').click()
  await page.locator(then).first().waitFor()
  await page.waitForLoadState('networkidle')
}

async function weakPassword(page) {
  await open(page, 'register/')
  await page.locator('[name=username]').fill('ada lovelace')
  await page.locator('[name=email]').fill('nobody')
  await page.locator('[name=password1]').fill('123')
  await page.locator('[type=submit]').click()
  await page.locator('.error').first().waitFor()
}

/** The letter after the registration, as a mail program shows it. */
async function showLetter(page, { username }) {
  await page.goto('/auth/dev/mailbox/')
  // The page looks for new mails by itself.
  const opened = page.locator('article', { hasText: username })
  const letter = await opened.locator('iframe').getAttribute('srcdoc')
  await page.setContent(letter)
}

/** One picture with all languages of a scene. */
async function gather(browser, scene, width) {
  const page = await browser.newPage({ viewport: { width: 2000, height: 800 } })
  const figures = languages.map((language) => {
    const file = pathToFileURL(pictureOf(scene, width, language))
    return `<figure><figcaption>${language}</figcaption><img src="${file}"></figure>`
  })
  const sheet = join(folder, `sheet-${scene}-${width}`)
  const style = `body { display: grid; grid-template-columns: repeat(5, 1fr); gap: 1rem; align-items: start }
figure { margin: 0 } img { width: 100%; border: 1px solid }`
  await writeFile(`${sheet}.html`, `<!doctype html><style>${style}</style>${figures.join('')}`)
  await page.goto(`${pathToFileURL(sheet)}.html`)
  await page.screenshot({ path: `${sheet}.png`, fullPage: true })
  await page.close()
}
