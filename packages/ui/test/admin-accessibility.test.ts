import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { misfitsOn } from './fits.ts'
import { lookingAt } from './looks.ts'
import { openAdmin } from './support.ts'

const browser = useBrowser()

/** A dozen pages, each of them examined. */
const SLOW = { timeout: 240_000 }

test('the pages for operators: light on a phone, and dark on a desk', SLOW, async () => {
  const site = await openAdmin({
    USER_FIELDS: { team: { type: 'string', choices: ['red', 'blue'] }, news: { type: 'boolean' } },
  })
  const ada = await site.createUser({
    username: 'ada.lovelace.with.a.rather.long.name',
    email: `${'a'.repeat(60)}@${'example.'.repeat(10)}com`,
  })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const { found, lookAt } = await lookingAt(page)

  const open = (name: string) => page.getByRole('link', { name, exact: true }).click()
  await page.goto('/admin/')
  await page.locator('a.row').first().waitFor()
  await lookAt('Users')
  await page.locator(`a.row[href$="/users/${ada.id}/"]`).click()
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await lookAt('ada.lovelace')
  await page.getByRole('button', { name: 'Change rights' }).click()
  await lookAt('ada.lovelace')
  await page.keyboard.press('Escape')
  await open('Users')
  await open('New user')
  await lookAt('New user')
  await open('Audit')
  await page.locator('.audit > li').first().waitFor()
  await lookAt('Audit')
  for (const [heading, loaded] of [
    ['Mail', '.empty:not(:empty)'],
    ['Keys', '.row'],
    ['Findings', '.finding'],
    ['Figures', '.chart'],
  ] as const) {
    await open(heading)
    await page.locator(loaded).first().waitFor()
    await lookAt(heading)
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await lookAt('Administration')
  expect(found).toEqual([])
  expect(faults).toEqual([])
})

/** Runs in the page: what has the focus below the bar, if it is hidden there. */
const HIDDEN = `(() => {
  const one = document.activeElement
  const bar = document.querySelector('.bar').getBoundingClientRect()
  return one.closest('main') && one.getBoundingClientRect().top < bar.bottom ? one.textContent : null
})()`

test('in a window of 320 pixels, long words break and the bar hides no focus', async () => {
  const site = await openAdmin()
  const { id } = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const { page, faults } = await site.visitAs(
    'maximiliane.schwarzenberger',
    { superuser: true },
    browser(),
  )
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto(`/admin/users/${id}/`)
  await page.getByRole('button', { name: 'Change rights' }).click()
  await page.getByLabel('Groups').fill('Gesundheitswesen und Katastrophenschutz')
  await page.getByRole('dialog').getByRole('button', { name: 'Change rights' }).click()
  await page.locator('.badge', { hasText: 'Katastrophenschutz' }).waitFor()
  await page.locator('.audit .badge').first().waitFor()
  expect(await misfitsOn(page)).toEqual([])

  const all = page.locator('main a, main button')
  const hidden: unknown[] = []
  await all.last().focus()
  for (let nth = await all.count(); nth > 0; nth--) {
    hidden.push(await page.evaluate(HIDDEN))
    await page.keyboard.press('Shift+Tab')
  }
  expect(hidden.filter(Boolean)).toEqual([])
  expect(faults).toEqual([])
})

/** Runs in the page: the links with a line that can be seen. */
const MARKED = `[...document.querySelectorAll('.bar nav a')]
  .filter((link) => getComputedStyle(link).borderBlockEndColor
    !== getComputedStyle(document.body).backgroundColor)
  .map((link) => link.textContent)`

test('forced colours show which page is open', async () => {
  const site = await openAdmin()
  const { page } = await site.visitAs('root', { superuser: true }, browser())
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/admin/')
  await page.locator('.bar nav a').first().waitFor()
  expect(await page.evaluate(MARKED)).toEqual(['Users'])
})
