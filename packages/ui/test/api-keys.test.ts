import { expect, test } from 'vitest'
import { KEYS } from '../../server/test/support/api-keys.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { identityOf } from '../../server/test/support/identities.ts'
import { during, openAdmin, openTestSite } from './support.ts'

const browser = useBrowser()
const DAY_MS = 86_400_000

test('a user makes a key after a fresh login, sees it once, and revokes it', async () => {
  const site = await openTestSite(KEYS)
  const ada = { username: 'ada', email: 'ada@example.com', verified: true }
  const { page, context, password, faults } = await site.visitAs(ada, browser(), '1h')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const section = page.getByRole('region', { name: 'Keys for programs' })
  const press = (name: string) => section.getByRole('button', { name, exact: true }).click()
  const use = async (key: string) => {
    const headers = { authorization: `Token ${key}` }
    return (await fetch(`${site.url}/auth/user/`, { headers })).status
  }

  await press('Create a key')
  await section.getByLabel('Name of the program').fill('backup')
  const again = page.getByRole('dialog', { name: 'Is it really you?' })
  await press('Create a key')
  await again.getByLabel('Password', { exact: true }).fill(password)
  await again.getByRole('button', { name: 'Confirm' }).click()
  await section.getByRole('group').getByText('Please fill this in.').waitFor()
  await section.locator('[type=checkbox]:focus').waitFor()
  await section.getByLabel('see your profile').check()
  await section.getByLabel('orders:read').check()
  await section.getByLabel('Expiry').selectOption('90 days')
  await press('Create a key')

  const key = (await section.locator('.secret code').textContent()) ?? ''
  expect(key).toMatch(/^lk_/)
  expect(await use(key)).toBe(200)
  // A browser that refuses leaves the key selected.
  await page.evaluate(
    `navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError') }`,
  )
  await press('Copy')
  await expect.poll(() => page.evaluate('String(getSelection())')).toBe(key)
  expect(await section.getByText('Copied.').count()).toBe(0)
  await page.evaluate('delete navigator.clipboard.writeText')
  await press('Copy')
  await section.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await press('I have saved it')
  expect(await page.content()).not.toContain(key)

  await page.reload()
  await section.getByText('see your profile · orders:read').waitFor()
  await section.getByText(/^Last used .* · Expires /).waitFor()
  await press('Revoke backup')
  await press('Cancel')
  expect(await use(key)).toBe(200)
  await press('Revoke backup')
  await press('Revoke')
  await section.getByText('backup', { exact: true }).waitFor({ state: 'detached' })
  expect(await use(key)).toBe(401)
  expect(faults).toEqual([])
})

test('the choice of an end is what the key gets', async () => {
  const site = await openTestSite(KEYS)
  const ada = { username: 'ada', email: 'ada@example.com', verified: true }
  const { page } = await site.visitAs(ada, browser())
  const section = page.getByRole('region', { name: 'Keys for programs' })
  const ends: (number | null)[] = []
  for (const choice of ['30 days', '1 year', 'never expires']) {
    await section.getByRole('button', { name: 'Create a key' }).click()
    await section.getByLabel('Name of the program').fill(choice)
    await section.getByLabel('see your profile').check()
    await section.getByLabel('Expiry').selectOption(choice)
    const answer = await during(
      page.waitForResponse((reply) => reply.request().method() === 'POST'),
      () => section.getByRole('button', { name: 'Create a key' }).click(),
    )
    const { expires_at, created_at } = await answer.json()
    const lasts = Date.parse(expires_at) - Date.parse(created_at)
    ends.push(expires_at === null ? null : Math.round(lasts / DAY_MS))
    await section.getByRole('button', { name: 'I have saved it' }).click()
  }
  expect(ends).toEqual([30, 365, null])
})

test('without API_KEYS there is no such section', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Keys for programs' }).count()).toBe(0)
})

test('an operator sees the keys of a user, and revokes one', async () => {
  const site = await openAdmin(KEYS)
  const ada = await site.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const { apiKeys } = site.auth.services
  const given = { name: 'backup', scopes: ['orders:read'], expiresAt: null }
  const { secret } = await apiKeys.create(identityOf(ada), given)
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto(`/admin/users/${ada.id}/`)
  const panel = page.getByRole('region', { name: 'Keys for programs' })
  await panel.getByText('orders:read').waitFor()
  await panel.getByText('never expires').waitFor()
  await panel.getByRole('button', { name: 'Revoke backup' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Programs that use the key backup lose access at once.').waitFor()
  await dialog.getByLabel('Reason').fill('ticket 4711')
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await panel.waitFor({ state: 'detached' })
  await expect(apiKeys.identify(secret)).rejects.toMatchObject({ message: 'invalid_token' })
  expect(await site.auth.services.audit.newestOfUser(ada.id, 1)).toMatchObject([
    { event: 'api_key_revoked', operator_name: 'root', reason: 'ticket 4711' },
  ])
  expect(faults).toEqual([])
})
