import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { newDatabaseFolder } from '../../server/test/support/database-folder.ts'
import { misfitsOn } from './fits.ts'
import { during, LANGUAGES, openAdmin, openSite, PASSWORD, WORDS } from './support.ts'
import { widestWords } from './widest-words.ts'

const browser = useBrowser()

type Visited = Awaited<ReturnType<Awaited<ReturnType<typeof openSite>>['visit']>>

const RIGHT_TO_LEFT = ['ar', 'fa']
/** The style sheet breaks their lines differently. */
const BROKEN_DIFFERENTLY = ['ja', 'ko']
const WIDTHS = [360, 1280]

/** Every page and width, in several languages. */
const SLOW = { timeout: 240_000 }

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/account/${path}`)
  await page.locator('form').first().waitFor()
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.locator('[name=username]').fill('ada')
  await page.locator('[name=password]').fill(password)
  await page.locator('form [type=submit]').click()
}

/** How somebody gets to what they see. Nothing here depends on the words. */
type Scenes = Readonly<Record<string, (page: Page) => Promise<void>>>

/** One after the other; only the first is loaded. */
const OUTSIDE: Scenes = {
  login: async (page) => {
    await open(page, 'login/')
    await logIn(page, 'wrong')
    await page.locator('.notice.bad').waitFor()
  },
  register: async (page) => {
    await page.locator('.foot a').click()
    await page.locator('[name=email]').fill('nobody')
    await page.locator('[name=password1]').fill('123')
    await page.locator('form [type=submit]').click()
    await page.locator('.error').nth(2).waitFor()
  },
  forgotten: async (page) => {
    await page.locator('.foot a').click()
    await page.locator('.beside a').click()
    await page.locator('[name=email]').waitFor()
  },
}

const INSIDE: Scenes = {
  account: async (page) => {
    await page.goto('/account/')
    await page.locator('.badge.good').waitFor()
  },
}

/** In one language after the other. The header decides; nothing else of the browser does. */
async function misfitsIn(
  { context, page, faults }: Visited,
  languages: readonly string[],
  scenes: Scenes,
): Promise<string[]> {
  const found: string[] = []
  const widths = [...WIDTHS]
  for (const language of languages) {
    await context.setExtraHTTPHeaders({ 'accept-language': language })
    for (const [name, show] of Object.entries(scenes)) {
      await show(page)
      // It is shown at the width of the one before. Changing that takes as long as the look at it.
      for (const width of widths.reverse()) {
        await page.setViewportSize({ width, height: 800 })
        const misfits = await misfitsOn(page)
        found.push(...misfits.map((misfit) => `${language}, ${name}, ${width}: ${misfit}`))
      }
    }
    const html = page.locator('html')
    expect(await html.getAttribute('lang')).toBe(language)
    const direction = RIGHT_TO_LEFT.includes(language) ? 'rtl' : null
    expect(await html.getAttribute('dir'), language).toBe(direction)
  }
  expect(faults).toEqual([])
  return found
}

/** To measure them takes a second, so two tests share them. */
let widest: Awaited<ReturnType<typeof widestWords>> | undefined

/**
 * Languages such that what fits in them fits in all: those with rules of their own, and two with the widest words
 * of all others.
 */
async function demandingLanguages() {
  const special = [...RIGHT_TO_LEFT, ...BROKEN_DIFFERENTLY]
  if (!widest) {
    const page = await browser().newPage()
    const others = LANGUAGES.filter((code) => !special.includes(code))
    widest = await widestWords(page, others).finally(() => page.close())
  }
  const folder = await newDatabaseFolder('words')
  for (const [code, words] of Object.entries(widest)) {
    await writeFile(join(folder, `${code}.json`), JSON.stringify(words))
  }
  return { WORDS_DIR: folder, languages: [...Object.keys(widest), ...special] }
}

test('every page fits in every language, on a phone and on a desk', SLOW, async () => {
  const { WORDS_DIR, languages } = await demandingLanguages()
  const PROVIDERS = { github: { APP: { client_id: 'x', secret: 'y' } } }
  const site = await openSite({
    WORDS_DIR,
    SOCIALACCOUNT: { PROVIDERS },
    ACCOUNT: {
      DELETION: true,
      LOGIN_BY_CODE_ENABLED: true,
      RATE_LIMITS: { login_failed: 'none' },
    },
  })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const visited = await site.visit(browser())
  const outside = await misfitsIn(visited, languages, OUTSIDE)
  await open(visited.page, 'login/')
  await logIn(visited.page, PASSWORD)
  await visited.page.locator('.badge.good').waitFor()
  const inside = await misfitsIn(visited, languages, INSIDE)
  expect([...outside, ...inside]).toEqual([])
})

test('the page of a user fits in every language, for operators', SLOW, async () => {
  const { WORDS_DIR, languages } = await demandingLanguages()
  const site = await openAdmin({ WORDS_DIR })
  const { id } = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const visited = await site.visitAs('root', { superuser: true }, browser())
  const user = async (page: Page) => {
    await page.goto(`/admin/users/${id}/`)
    await page.locator('.danger').first().waitFor()
  }
  expect(await misfitsIn(visited, languages, { user })).toEqual([])
})

/** The words of a language, as the package has them. */
const wordsOf = (language: string) =>
  JSON.parse(readFileSync(join(WORDS, `${language}.json`), 'utf8'))

test('what the API refuses in English is worded by its code, with numbers and plurals', async () => {
  const site = await openSite({ USER_FIELDS: { age: { type: 'integer', signup: true, max: 120 } } })
  const { page } = await site.visit(browser(), { locale: 'ru' })
  const { answers, pages } = wordsOf('ru')
  await open(page, 'register/')
  await page.locator('[name=username]').fill('ada lovelace')
  await page.locator('[name=email]').fill(`${'a'.repeat(250)}@example.com`)
  await page.locator('[name=password1]').fill('kx-93-q')
  await page.locator('[name=age]').fill('121')
  await page.locator('[type=submit]').click()
  const told = page.locator('.error')
  await told.nth(3).waitFor()
  expect(await told.allTextContents()).toEqual([
    answers.username_invalid,
    answers.too_long.few.replace('{max}', '254'),
    answers.password_too_short.many.replace('{min}', '8'),
    answers.too_large.replace('{max}', '120'),
  ])

  await page.locator('[name=username]').fill('lovelace1815')
  await page.locator('[name=password1]').fill('lovelace1815')
  await page.locator('[type=submit]').click()
  await page.getByText(pages['error.password_too_similar']).waitFor()

  await open(page, 'login/')
  await logIn(page, 'wrong')
  await page.getByText(pages['error.wrong_credentials']).waitFor()
})

test('a new user has the language of the page, and chooses another on the account page', async () => {
  const fields = ['pk', 'username', 'email', 'first_name', 'last_name', 'language']
  const site = await openSite({
    LANGUAGES: ['en', 'de', 'pt-BR'],
    REST_AUTH: { USER_DETAILS_SERIALIZER: { fields } },
  })
  const { page } = await site.visit(browser(), { locale: 'pt-PT' })
  await open(page, 'register/')
  await page.locator('[name=username]').fill('ada')
  await page.locator('[name=email]').fill('ada@example.com')
  await page.locator('[name=password1]').fill(PASSWORD)
  await page.locator('[type=submit]').click()
  const choice = page.locator('select[name=language]')
  await choice.waitFor()
  expect(await choice.inputValue()).toBe('pt-BR')
  expect(await choice.locator('option').allTextContents()).toEqual([
    'English',
    'Deutsch',
    'Português (Brasil)',
  ])

  await choice.selectOption('de')
  const save = page.locator('section [type=submit]').first()
  await during(page.waitForEvent('load'), () => save.click())
  await choice.waitFor()
  expect(await choice.inputValue()).toBe('de')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')

  // At the next login, the browser still asks for Portuguese.
  for (const path of ['login/', '']) {
    await page.context().clearCookies()
    await open(page, path)
    await logIn(page, PASSWORD)
    await choice.waitFor()
    await page.locator('html[lang=de]').waitFor()
  }
})

test('a user with no stored language, or with one that is gone, can choose that of the page', async () => {
  const fields = ['username', 'language']
  const site = await openSite({
    LANGUAGES: ['en', 'de'],
    REST_AUTH: { USER_DETAILS_SERIALIZER: { fields } },
  })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page } = await site.visit(browser(), { locale: 'de' })
  await open(page, 'login/')
  await logIn(page, PASSWORD)
  const choice = page.locator('select[name=language]')
  await choice.waitFor()
  for (const stored of [null, 'ru']) {
    await site.db.updateTable('users').set({ language: stored }).execute()
    await page.reload()
    await choice.waitFor()
    expect(await choice.inputValue(), String(stored)).toBe('')
    await choice.selectOption('de')
    await page.locator('section [type=submit]').first().click()
    await page.locator('.notice.good').first().waitFor()
    expect(await site.findUser('ada')).toMatchObject({ language: 'de' })
  }
})
