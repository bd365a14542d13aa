import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MINUTE } from '../../server/src/kernel/clock.ts'
import { addVirtualAuthenticator, useBrowser } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { PASSWORD } from '../../server/test/support/start-auth.ts'
import { during, hold, openAdmin } from './support.ts'

const browser = useBrowser()

test('from the first login of an operator to the second', { timeout: 120_000 }, async () => {
  const site = await openAdmin()
  await site.createOperator('root')
  const { context, page, faults } = await site.visit(browser())
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const users = page.getByRole('heading', { name: 'Users', exact: true })
  const logIn = async () => {
    await page.getByLabel('Username or e-mail address').fill('root')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press('Sign in')
  }

  // Nothing works before there is a second factor.
  await page.goto('/admin/audit/')
  await logIn()
  await page.getByRole('heading', { name: 'Set up a second step' }).waitFor()
  await page.reload()
  await press('Sign out')
  await page.goto('/admin/audit/')
  await logIn()
  await press('Set up an authenticator app')
  const secret = (await page.locator('code').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(codeOf(site, secret))
  await press('Turn on')
  const recovery = (await page.locator('.codes code').first().textContent()) ?? ''
  await press('I have saved them')
  // Screen readers start there.
  await page.locator('h1:focus', { hasText: 'Audit' }).waitFor()

  // In with a recovery code, and a passkey for the next time.
  await press('Sign out')
  await logIn()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  site.clock.advance(60 * MINUTE)
  await press('Continue')
  await page.getByRole('alert').getByText('That took too long').waitFor()
  await logIn()
  await press('Use a recovery code instead')
  await page.getByLabel('Recovery code').fill(recovery)
  await press('Continue')
  await users.waitFor()
  expect(context.pages()).toHaveLength(1)
  expect(faults).toEqual([])
})

test('an operator without an app adds a passkey, and signs in with it alone', async () => {
  const site = await openAdmin()
  await site.createOperator('root')
  const { context, page, faults } = await site.visit(browser())
  // The virtual authenticator would take every offer at once, so none is made.
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  await addVirtualAuthenticator(context, {
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const users = page.getByRole('heading', { name: 'Users', exact: true })
  await page.goto('/admin/')
  await page.getByLabel('Username or e-mail address').fill('root')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press('Sign in')
  await press('Add a passkey')
  await users.waitFor()
  await press('Sign out')
  await press('Sign in with a passkey')
  await users.waitFor()
  expect(faults).toEqual([])
})

test('find a user, deactivate them, and read about it', { timeout: 120_000 }, async () => {
  const site = await openAdmin({ LANGUAGES: ['en', 'de'] })
  for (const name of ['ada', 'adam', 'grace', 'alan']) {
    await site.createUser({ username: name, email: `${name}@example.com`, verified: true })
  }
  const { page, nextCode, faults } = await site.visitAs('root', { superuser: true }, browser())
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const rows = page.locator('a.row')

  // By keyboard alone.
  await page.goto('/admin/')
  await rows.nth(4).waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.keyboard.type('ADA')
  await rows.nth(2).waitFor({ state: 'hidden' })
  expect(await rows.locator('strong').allTextContents()).toEqual(['adam', 'ada'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ada', exact: true }).waitFor()
  await page.goBack()
  await rows.nth(1).waitFor()
  expect(await page.getByLabel('Find a user').inputValue()).toBe('ADA')
  await page.goForward()

  // A dialog that is cancelled changes nothing.
  await press('Deactivate')
  await dialog('Deactivate').getByText('ada is signed out everywhere').waitFor()
  await dialog('Deactivate').getByRole('button', { name: 'Cancel' }).click()
  await page.locator('button:focus', { hasText: 'Deactivate' }).waitFor()
  expect(await site.findUser('ada')).toMatchObject({ is_active: 1 })
  await press('Deactivate')
  await dialog('Deactivate').getByLabel('Reason').fill('=ticket 4711')
  await dialog('Deactivate').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('deactivated', { exact: true }).waitFor()
  await page.getByRole('status').getByText('Done: Deactivate').waitFor()
  // The button is gone.
  await page.locator('h2:focus', { hasText: 'Actions' }).waitFor()
  expect(await site.findUser('ada')).toMatchObject({ is_active: 0 })

  // After five minutes the service asks again who this is, and then the change is made.
  site.clock.advance(6 * MINUTE)
  await press('Activate')
  await dialog('Activate').getByRole('button', { name: 'Activate' }).click()
  const again = dialog('Is it really you?')
  await again.getByLabel('Code').fill('000000')
  await again.getByRole('button', { name: 'Confirm' }).click()
  await again.getByText('Invalid code.').waitFor()
  expect(await site.findUser('ada')).toMatchObject({ is_active: 0 })
  await again.getByLabel('Code').fill(nextCode())
  await again.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).waitFor()
  expect(await site.findUser('ada')).toMatchObject({ is_active: 1 })

  // What is wrong with a field is said beside it.
  await press('Edit')
  await dialog('Edit the profile').getByLabel('Username').fill('grace')
  await dialog('Edit the profile').getByRole('button', { name: 'Save' }).click()
  await dialog('Edit the profile').getByText('A user with that username already exists.').waitFor()
  await dialog('Edit the profile').getByLabel('Username').fill('countess')
  await dialog('Edit the profile').getByLabel('Language').selectOption('Deutsch')
  await dialog('Edit the profile').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'countess', exact: true }).waitFor()
  await page.getByRole('status').getByText('Done: Edit the profile').waitFor()
  expect(await site.findUser('countess')).toMatchObject({ language: 'de' })

  await page.getByRole('link', { name: 'All events' }).click()
  await page.getByLabel('Event', { exact: true }).fill('user_deactivated')
  await page.getByLabel('Event', { exact: true }).press('Enter')
  const told = page.locator('.audit > li')
  const withReason = [expect.stringContaining('=ticket 4711')]
  await expect.poll(() => told.allTextContents(), { timeout: 20_000 }).toEqual(withReason)
  const link = page.getByRole('link', { name: 'Download CSV' })
  const download = await during(page.waitForEvent('download'), () => link.click())
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv).toContain("'=ticket 4711")
  expect(faults).toEqual([])
})

test('Enter opens the only user of what is typed, and nobody of an older list', async () => {
  const site = await openAdmin()
  for (const username of ['alan', 'grace']) await site.createUser({ username })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const search = page.getByLabel('Find a user')
  const rows = page.locator('a.row strong')

  await page.goto('/admin/?q=alan')
  await rows.getByText('alan').waitFor()
  await search.fill('grace')
  await search.press('Enter')
  await page.getByRole('heading', { name: 'grace', exact: true }).waitFor()

  await page.goBack()
  await rows.getByText('grace').waitFor()
  await page.route('**/users/?*', (route) => route.abort())
  await search.fill('alan')
  await search.press('Enter')
  await page.getByRole('alert').getByText('We could not reach the service').waitFor()
  expect(await rows.allTextContents()).toEqual([])
  expect(new URL(page.url()).search).toBe('?q=alan')
  expect(faults).toEqual([])
})

test('a list that comes back begins with its first page', async () => {
  const site = await openAdmin()
  const { operations } = site.auth.services
  const HOST = { kind: 'host', name: 'test', may: 'all' } as const
  for (let i = 10; i <= 60; i++) await operations.call(HOST, 'users.create', { username: `a${i}` })
  await operations.call(HOST, 'users.create', { username: 'gone', active: false })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const rows = page.locator('a.row strong')
  const state = page.getByLabel('State')

  await page.goto('/admin/?state=active&sort=username')
  await rows.nth(49).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await rows.nth(51).waitFor()
  await state.selectOption('inactive')
  await rows.nth(1).waitFor({ state: 'detached' })
  expect(await rows.allTextContents()).toEqual(['gone'])
  await state.selectOption('active')
  await rows.nth(1).waitFor()
  const names = await rows.allTextContents()
  expect([names.length, names[0], names.at(-1)]).toEqual([50, 'a10', 'a59'])
  expect(faults).toEqual([])
})

test('the last page of a list takes its button away, and a question that fails all rows', async () => {
  const site = await openAdmin()
  const { operations } = site.auth.services
  const HOST = { kind: 'host', name: 'test', may: 'all' } as const
  for (let i = 10; i <= 60; i++) await operations.call(HOST, 'users.create', { username: `a${i}` })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const rows = page.locator('.row:not(.head)')
  const more = page.getByRole('button', { name: 'Show more' })
  for (const path of ['?sort=username', 'audit/']) {
    await page.goto(`/admin/${path}`)
    await more.press('Enter')
    await more.waitFor({ state: 'detached' })
    // The first new row has the focus.
    await rows.nth(50).and(page.locator(':focus')).waitFor()
  }

  await page.goto('/admin/?q=a')
  await more.waitFor()
  await page.route('**/users/?*', (route) => route.abort(), { times: 1 })
  await page.getByLabel('Find a user').fill('a6')
  await page.getByRole('alert').getByText('We could not reach the service').waitFor()
  expect([await rows.count(), await more.count()]).toEqual([0, 0])
  // Nor do they come back while the next question waits.
  const release = await hold(page, '**/users/?*')
  await page.getByLabel('Find a user').fill('a')
  await page.locator('.results[aria-busy=true]').waitFor()
  expect(await rows.count()).toBe(0)
  release()
  await more.click()
  await rows.nth(50).waitFor()
  expect(faults).toEqual([])
})

test('staff change ordinary users, and only look at staff', async () => {
  const site = await openAdmin()
  const ada = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const boss = await site.createOperator('boss', { staff: true })
  const { page, faults } = await site.visitAs('clerk', { staff: true }, browser())
  const actions = page.getByRole('region', { name: 'Actions' }).getByRole('button')

  await page.goto(`/admin/users/${ada.id}/`)
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  expect(await page.getByRole('button', { name: 'Change rights' }).count()).toBe(0)
  await page.goto('/admin/users/new/')
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('heading', { name: 'grace', exact: true }).waitFor()
  const invitation = await site.mail.newest('reset-password', 'grace@example.com')
  expect(invitation.values.link).toContain('/password/reset/')
  await page.goto(`/admin/users/${boss.id}/`)
  await page.getByText('Only superusers can change accounts of staff.').waitFor()
  expect(await actions.count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
  expect(faults).toEqual([])
})
