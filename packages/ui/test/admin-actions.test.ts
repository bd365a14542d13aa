import { expect, test } from 'vitest'
import { passwordOf } from '../../server/test/support/admin.ts'
import { freePort, useBrowser } from '../../server/test/support/browser.ts'
import { countRows } from '../../server/test/support/dump.ts'
import { registered } from '../../server/test/support/passkeys.ts'
import { openAdmin } from './support.ts'

const browser = useBrowser()

test('a key for a program is shown once, works, and is revoked', async () => {
  const site = await openAdmin()
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const dialog = page.getByRole('dialog')
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  const readAs = async (key: string, path: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${site.origin}/admin/api/${path}`, { headers })).status
  }

  await page.goto('/admin/keys/')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await dialog.getByLabel('Name of the program').fill('billing')
  await inDialog('Create a key').click()
  // Beside the scopes, not above the form.
  await dialog.getByRole('group').getByText('Please fill this in.').waitFor()
  expect(await dialog.locator('.notice').count()).toBe(0)
  await dialog.getByLabel('read the audit').check()
  await dialog.getByLabel('Expires').fill('90d')
  await inDialog('Create a key').click()
  await dialog.waitFor({ state: 'hidden' })
  const key = (await page.locator('.secret code').textContent()) ?? ''
  expect([await readAs(key, 'audit/'), await readAs(key, 'users/')]).toEqual([200, 403])

  await page.getByRole('button', { name: 'I have saved it' }).click()
  expect(await page.content()).not.toContain(key)
  await page.reload()
  await page.getByRole('button', { name: 'Revoke billing' }).click()
  expect(await page.content()).not.toContain(key)
  await inDialog('Cancel').click()
  expect(await readAs(key, 'audit/')).toBe(200)
  await page.getByRole('button', { name: 'Revoke billing' }).click()
  await inDialog('Revoke').click()
  await page.getByRole('status').getByText('Done: Revoke billing').waitFor()
  await page.locator('h2:focus', { hasText: 'Keys of programs' }).waitFor()
  await page.getByText('billing', { exact: true }).waitFor({ state: 'detached' })
  expect(await readAs(key, 'audit/')).toBe(401)
  // The pages read the token from their cookie.
  expect(sent.filter((path) => path.endsWith('/csrf/'))).toEqual([])
  expect(faults).toEqual([])
})

test('an operator who has lost the passkey that is the only factor is helped', async () => {
  const site = await openAdmin()
  const grace = await site.createOperator('grace', { staff: true })
  const { body } = await site.request.post('login/', passwordOf('grace'))
  await registered(site.request, (body as { key: string }).key)
  const { page } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto(`/admin/users/${grace.id}/`)
  const dialog = page.getByRole('dialog')
  const reset = { name: 'Reset the second factor', exact: true }
  await page.getByRole('button', reset).click()
  await dialog.getByText('Removes the passkeys of grace').waitFor()
  await dialog.getByRole('button', reset).click()
  await page.getByRole('status').getByText('Done: Reset the second factor').waitFor()
  expect(await countRows(site.db, 'passkeys')).toBe(0)
  expect(await page.getByRole('button', reset).count()).toBe(0)
})

test('set a password, act as a user, delete them, invite another', async () => {
  const port = await freePort()
  const site = await openAdmin({ PORT: port, ADMIN_IMPERSONATION: true })
  await site.app.listen({ host: 'localhost', port })
  const ada = await site.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const dialog = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const logIn = async (password: string) => {
    const body = JSON.stringify({ username: 'ada', password })
    const headers = { 'content-type': 'application/json' }
    const address = `http://localhost:${port}/auth/login/`
    return (await fetch(address, { method: 'POST', headers, body })).status
  }

  await page.goto(`/admin/users/${ada.id}/`)
  await press('Set a password')
  await confirm('Set a password')
  await dialog.getByText('Please fill this in.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill('a harbour of lanterns')
  await confirm('Set a password')
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'Set a password' }).waitFor()
  expect(await logIn('a harbour of lanterns')).toBe(200)

  // Without a reason nobody acts as somebody else.
  await press('Act as this user')
  await confirm('Act as this user')
  await dialog.getByText('Please fill this in.').waitFor()
  await dialog.getByLabel('Reason').fill('ticket 4711')
  expect(faults).toEqual([])
  await confirm('Act as this user')
  await page.getByText('You, root, are using the account of a user').waitFor()
  expect(new URL(page.url()).port).toBe(String(port))
  await press('Stop using this account')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()

  await page.goto(`/admin/users/${ada.id}/`)
  await press('Delete')
  await dialog.getByText('This cannot be undone.').waitFor()
  await confirm('Cancel')
  expect(await logIn('a harbour of lanterns')).toBe(200)
  await press('Delete')
  await confirm('Delete')
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  await page.getByText('Done: Delete · ada').waitFor()
  expect(await logIn('a harbour of lanterns')).toBe(400)

  // The account exists even if the mail cannot be sent.
  await page.route('**/send-reset/', (route) => route.abort())
  await page.goto('/admin/users/new/')
  await page.getByLabel('Username').fill('grace')
  // Nobody could be invited.
  await press('Invite')
  await page.locator('[name=email]:focus[aria-invalid=true]').waitFor()
  expect(
    await site.db.selectFrom('users').selectAll().where('username', '=', 'grace').execute(),
  ).toEqual([])
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await press('Invite')
  await page.getByText('grace has an account now, but the invitation was not sent.').waitFor()
  await page.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('button', { name: 'Send a password reset' }).waitFor()
})

test('a service that fails after a change, or at the sign-out, is not silent', async () => {
  const site = await openAdmin()
  const ada = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const alert = page.getByRole('alert').getByText('We could not reach the service')

  await page.goto(`/admin/users/${ada.id}/`)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.route(`**/api/users/${ada.id}/`, (route) => route.abort())
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await alert.waitFor()
  expect(await site.findUser('ada')).toMatchObject({ is_active: 0 })

  await page.goto('/admin/')
  await page.locator('a.row').first().waitFor()
  await page.route('**/logout/', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign out' }).click()
  await alert.waitFor()
  expect(faults).toEqual([])
})

test('a dialog whose action is under way stays, and shows that it failed', async () => {
  const site = await openAdmin()
  const ada = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const dialog = page.getByRole('dialog')
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/deactivate/', (route) => held.then(() => route.abort()))

  await page.goto(`/admin/users/${ada.id}/`)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  // A browser may ignore that a page refuses the second one.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  release()
  await dialog.getByText('We could not reach the service').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
})

test('Cancel while an action is under way keeps the focus, so that Enter does not repeat it', async () => {
  const site = await openAdmin()
  const { id } = await site.createUser({ username: 'ada', email: 'ada@example.com' })
  const { page } = await site.visitAs('root', { superuser: true }, browser())
  const dialog = page.getByRole('dialog')
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  let sent = 0
  await page.route('**/deactivate/', (route) => {
    sent += 1
    return held.then(() => route.abort())
  })
  await page.goto(`/admin/users/${id}/`)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  await cancel.press('Enter')
  release()
  await dialog.getByText('We could not reach the service').waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(sent).toBe(1)
})
