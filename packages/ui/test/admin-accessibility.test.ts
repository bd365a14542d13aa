import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
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
  const { found, lookAt } = lookingAt(page)

  await page.goto('/admin/')
  await page.locator('a.row').first().waitFor()
  await lookAt('Users')
  await page.goto(`/admin/users/${ada.id}/`)
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await lookAt('ada.lovelace')
  await page.getByRole('button', { name: 'Change rights' }).click()
  await lookAt('ada.lovelace')
  await page.goto('/admin/users/new/')
  await lookAt('New user')
  await page.goto('/admin/audit/')
  await page.locator('.audit > li').first().waitFor()
  await lookAt('Audit')
  for (const [path, heading, loaded] of [
    ['mail', 'Mail', '.empty'],
    ['keys', 'Keys', '.row'],
    ['findings', 'Findings', '.finding'],
    ['figures', 'Figures', '.chart'],
  ] as const) {
    await page.goto(`/admin/${path}/`)
    await page.locator(loaded).first().waitFor()
    await lookAt(heading)
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await lookAt('Administration')
  expect(found).toEqual([])
  expect(faults).toEqual([])
})
