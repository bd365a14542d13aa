import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openAdmin } from './support.ts'

const browser = useBrowser()

test('a filter keeps what is typed while the list loads', async () => {
  const site = await openAdmin()
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto('/admin/audit/')
  await page.locator('.audit > li').first().waitFor()
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/audit/?*', (route) => held.then(() => route.continue()))
  await page.getByLabel('Event', { exact: true }).fill('nothing')
  await page.keyboard.press('Tab')
  await page.getByLabel('Operator').pressSequentially('root')
  release()
  await page.getByText('Nothing of that kind has happened.').waitFor()
  expect(await page.getByLabel('Operator').inputValue()).toBe('root')
  expect(faults).toEqual([])
})

test('days are those of the operator, IDs are no quantities, and events stand at the start', async () => {
  const site = await openAdmin({ LANGUAGES: ['en', 'fa'] })
  const look = { locale: 'fa', timezoneId: 'Pacific/Auckland' }
  // They sign in at noon of 1 January in London, which is 2 January in Auckland.
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser(), look)
  const rows = page.locator('.audit > li')
  await page.route('**/api/audit/?*', async (route) => {
    const response = await route.fetch()
    const { results, ...rest } = await response.json()
    const json = { ...rest, results: results.map((row: object) => ({ ...row, user: 12345 })) }
    await route.fulfill({ response, json })
  })
  await page.goto('/admin/audit/?since=2030-01-01&until=2030-01-01')
  await page.getByRole('status').filter({ hasText: /./ }).waitFor()
  expect(await rows.count()).toBe(0)

  await page.goto('/admin/audit/?since=2030-01-02&until=2030-01-02')
  await rows.first().waitFor()
  expect(await rows.first().getByRole('link').textContent()).toContain('12345')
  // The box of the event is no wider than its words, and ends where the row begins: at the right.
  const box = await rows.first().locator('code').boundingBox()
  const around = await rows.first().locator('.who').boundingBox()
  if (!box || !around) throw new Error('There is no row.')
  expect(box.x).toBeGreaterThan(around.x + 1)
  expect(box.x + box.width).toBeCloseTo(around.x + around.width, 0)
  expect(faults).toEqual([])
})
