import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { PASSWORD } from '../../server/test/support/start-auth.ts'
import { during, openAdmin } from './support.ts'

const browser = useBrowser()

const HOST = { kind: 'host', name: 'test', may: 'all' } as const

/** The admin pages, and the page of a new user in the browser of an operator. */
async function openProfile(settings: object, user: object) {
  const site = await openAdmin(settings)
  const { operations } = site.auth.services
  const { pk } = (await operations.call(HOST, 'users.create', { username: 'ada', ...user })) as {
    pk: number
  }
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto(`/admin/users/${pk}/`)
  const dialog = page.getByRole('dialog')
  return {
    page,
    dialog,
    faults,
    update: (changes: object) => operations.call(HOST, 'users.update', { pk, ...changes }),
    show: () => operations.call(HOST, 'users.show', { pk }),
    open: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    async save(name: string) {
      await dialog.getByRole('button', { name, exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
    },
    sent: changesSentBy(page),
  }
}

function changesSentBy(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  return sent
}

test('saving a profile sends what the operator changed, and nothing else', async () => {
  const USER_FIELDS = {
    plan: { type: 'string' },
    credits: { type: 'integer' },
    tags: { type: 'list' },
    member: { type: 'boolean' },
    due: { type: 'datetime' },
    level: { type: 'string', choices: ['low', 'high'], required: true },
  }
  const fields = { plan: 'free', credits: 5, tags: ['a', 'b'], due: '2030-05-05T10:11:12Z' }
  const profile = await openProfile({ USER_FIELDS, LANGUAGES: ['en', 'de'] }, { fields })
  const { dialog, open, save, update, show, sent, faults } = profile

  await open('Edit')
  await save('Save')
  await open('Edit')
  // Somebody else is faster.
  await update({ first_name: 'Ada', fields: { plan: 'paid', member: true } })
  await dialog.getByLabel('Last name').fill('Lovelace')
  await save('Save')
  await open('Edit')
  await dialog.getByLabel('Credits').fill('6')
  await dialog.getByLabel('Member').uncheck()
  await dialog.getByLabel('Level').selectOption('low')
  await dialog.getByLabel('Reason, for the audit').fill('ticket 4711')
  await save('Save')

  expect(sent).toEqual([
    { last_name: 'Lovelace' },
    { fields: { credits: '6', member: false, level: 'low' }, reason: 'ticket 4711' },
  ])
  expect(await show()).toMatchObject({
    first_name: 'Ada',
    last_name: 'Lovelace',
    language: null,
    fields: {
      plan: 'paid',
      credits: 6,
      tags: ['a', 'b'],
      member: false,
      due: '2030-05-05T10:11:12.000Z',
      level: 'low',
    },
  })
  expect(faults).toEqual([])
})

test('the name of a group may have a comma', async () => {
  const groups = ['staff', 'Sales, EMEA']
  const { dialog, open, save, show, sent, faults } = await openProfile({}, { groups })
  await open('Change rights')
  await dialog.getByLabel('Staff').check()
  await save('Change rights')
  expect(await show()).toMatchObject({ is_staff: true, groups })
  await open('Change rights')
  await dialog.getByLabel('Groups').fill('editors,,Sales, EMEA, Sales, APAC ')
  await save('Change rights')
  expect(sent).toEqual([
    { is_staff: true },
    { groups: ['editors', 'Sales, EMEA', 'Sales', 'APAC'] },
  ])
  expect(faults).toEqual([])
})

test('an address stays verified until it is another one', async () => {
  const user = { email: 'ada@example.com', verified: true }
  const { dialog, open, save, show, sent, faults } = await openProfile({}, user)
  const button = 'Change address'
  await open(button)
  await save(button)
  expect(sent).toEqual([])
  await open(button)
  await dialog.getByLabel('E-mail address').fill('ADA@example.com')
  await save(button)
  expect(await show()).toMatchObject({ email: 'ada@example.com', email_verified: true })
  await open(button)
  await dialog.getByLabel('E-mail address').fill('grace@example.com')
  await save(button)
  expect(await show()).toMatchObject({ email: 'grace@example.com', email_verified: false })
  await open(button)
  await dialog.getByLabel('I know that').check()
  await save(button)
  expect(await show()).toMatchObject({ email: 'grace@example.com', email_verified: true })
  expect(faults).toEqual([])
})

test('an operator removes an address', async () => {
  const user = { email: 'ada@example.com', verified: true }
  const { dialog, open, save, show, sent, faults, page } = await openProfile({}, user)
  await open('Change address')
  await dialog.getByLabel('E-mail address (optional)').fill('')
  await dialog.getByLabel('I know that').check()
  await dialog.getByLabel('Reason, for the audit').fill('ticket 4711')
  await save('Change address')
  expect(sent).toEqual([{ email: '', reason: 'ticket 4711' }])
  expect(await show()).toMatchObject({ email: '', email_verified: false })
  await page.getByText('ada@example.com').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('a new user has the language and the groups that the operator chooses', async () => {
  const site = await openAdmin({ LANGUAGES: ['en', 'de'] })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  await page.goto('/admin/users/new/')
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Language').selectOption('Deutsch')
  await page.getByLabel('Groups').fill('editors, authors')
  await page.getByLabel('Reason, for the audit').fill('ticket 4711')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('heading', { name: 'grace', exact: true }).waitFor()
  expect(await site.findUser('grace')).toMatchObject({
    language: 'de',
    group_names: '["editors","authors"]',
  })
  expect(await site.mail.templates()).toContain('reset-password')
  const { results } = await site.auth.services.operations.call(HOST, 'audit.find', {
    operator: 'root',
    user: String((await site.findUser('grace')).id),
  })
  expect(results.map(({ event, reason }) => [event, reason])).toEqual([
    ['password_reset_sent', 'ticket 4711'],
    ['user_created', 'ticket 4711'],
  ])
  expect(faults).toEqual([])
})

test('fields of the deployment can have the names of our own inputs', async () => {
  const USER_FIELDS = { reason: { type: 'string' }, verified: { type: 'boolean' } }
  const fields = { reason: 'a friend', verified: true }
  const profile = await openProfile({ USER_FIELDS }, { fields })
  const { page, dialog, open, save, show, sent, faults } = profile
  await open('Edit')
  await dialog.getByLabel('Last name').fill('Lovelace')
  await dialog.getByLabel('Reason, for the audit').fill('ticket 4711')
  await save('Save')
  expect(sent).toEqual([{ last_name: 'Lovelace', reason: 'ticket 4711' }])
  expect(await show()).toMatchObject({ fields })

  await page.goto('/admin/users/new/')
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Reason (optional)').fill('the navy')
  await page.getByLabel('Verified', { exact: true }).check()
  await page.getByLabel('invit').uncheck()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const created = await during(
    page.waitForResponse((one) => one.request().method() === 'POST'),
    () => page.getByRole('button', { name: 'Create' }).click(),
  )
  expect(await created.json()).toMatchObject({
    email_verified: false,
    fields: { reason: 'the navy', verified: true },
  })
  expect(faults).toEqual([])
})
