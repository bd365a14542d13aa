import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { misfitsOn } from './fits.ts'
import { ADA, during, logIn, openSite, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()

const USER_FIELDS = {
  nick: { type: 'string' },
  bio: { type: 'string' },
  level: { type: 'integer', choices: [1, 2] },
  colours: { type: 'list', choices: ['red', 'green', 'blue'] },
  seen: { type: 'datetime' },
  starts: { type: 'datetime', choices: ['2030-05-01T08:00:00Z', '2030-06-01T08:30:15Z'] },
}

const BEFORE = {
  nick: 'ada',
  bio: 'one\ntwo',
  level: 2,
  colours: ['red', 'blue'],
  seen: '2030-01-02T03:04:05.678Z',
  starts: '2030-06-01T08:30:15.000Z',
}

const savedIn = (page: Page) =>
  page.evaluate(async () => (await fetch('/auth/user/')).json() as Promise<object>)

test('saving a profile changes what the user changed, and nothing else, in a small window', async () => {
  const site = await openTestSite({ USER_FIELDS })
  const { page, faults } = await site.visitAs({ username: 'ada', fields: BEFORE }, browser())
  await page.setViewportSize({ width: 320, height: 700 })
  const profile = page.getByRole('region', { name: 'Profile', exact: true })
  const save = async () => {
    const answer = await during(
      page.waitForResponse((one) => one.request().method() === 'PATCH'),
      () => profile.getByRole('button', { name: 'Save' }).click(),
    )
    expect(answer.status()).toBe(200)
  }

  await profile.getByLabel('Nick').fill('countess')
  expect(await misfitsOn(page)).toEqual([])
  await save()
  expect(await savedIn(page)).toMatchObject({ ...BEFORE, nick: 'countess' })

  // A text of several lines keeps them.
  await profile.getByLabel('Bio').press('Control+End')
  await profile.getByLabel('Bio').pressSequentially('!')
  await profile.getByLabel('Level').selectOption('1')
  await profile.getByLabel('Colours').fill('green\nblue\n')
  await profile.getByLabel('Seen').fill('2031-02-03T04:05')
  await profile.getByLabel('Starts').selectOption({ index: 1 })
  await save()
  expect(await savedIn(page)).toMatchObject({
    bio: 'one\ntwo!',
    level: 1,
    colours: ['green', 'blue'],
    seen: '2031-02-03T04:05:00.000Z',
    starts: '2030-05-01T08:00:00.000Z',
  })
  expect(faults).toEqual([])
})

test('what is typed as soon as the form appears is saved', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  await page.addInitScript(`
    new MutationObserver((_, observer) => {
      const input = document.querySelector('[name=first_name]')
      if (!input) return
      input.value = 'Ada'
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  `)
  await page.reload()
  const profile = page.getByRole('region', { name: 'Profile', exact: true })
  expect(await profile.getByLabel('First name').inputValue()).toBe('Ada')
  await profile.getByRole('button', { name: 'Save' }).click()
  await profile.getByText('Saved.').waitFor()
  expect(await savedIn(page)).toMatchObject({ first_name: 'Ada' })
})

test('half a date or number is told, and does not delete the stored one', async () => {
  const fields = { birthday: '1815-12-10', age: 36 }
  const site = await openTestSite({
    USER_FIELDS: { birthday: { type: 'date' }, age: { type: 'integer' } },
  })
  const { page } = await site.visitAs({ username: 'ada', fields }, browser())
  const profile = page.getByRole('region', { name: 'Profile', exact: true })
  for (const [label, name, key] of [
    ['Birthday', 'birthday', 'Backspace'],
    ['Age', 'age', 'e'],
  ] as const) {
    const input = profile.getByLabel(label)
    await input.press(key)
    await profile.getByRole('button', { name: 'Save' }).click()
    await profile.locator('.error').waitFor()
    expect(await input.getAttribute('aria-invalid'), label).toBe('true')
    expect(await page.evaluate('document.activeElement.name')).toBe(name)
    expect(await savedIn(page)).toMatchObject(fields)
    await input.fill(String(fields[name]))
  }
  await profile.getByRole('button', { name: 'Save' }).click()
  await profile.getByText('Saved.').waitFor()
  expect(await profile.locator('.error').count()).toBe(0)
  expect(await savedIn(page)).toMatchObject(fields)
})

test('a form for a new user begins with the defaults', async () => {
  const site = await openTestSite({
    ACCOUNT: { EMAIL_VERIFICATION: 'none' },
    USER_FIELDS: {
      news: { type: 'boolean', default: true, signup: true },
      plan: { type: 'string', choices: ['a', 'free'], default: 'free', signup: true },
      size: { type: 'integer', choices: [1, 2], required: true, signup: true },
    },
  })
  const { page } = await site.visit(browser())
  const create = page.getByRole('button', { name: 'Create account' })
  await page.goto('/account/register/')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  // Nobody has chosen the first size.
  await create.click()
  await page.locator('select[name=size][aria-invalid=true]').selectOption('2')
  await create.click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await savedIn(page)).toMatchObject({ news: true, plan: 'free', size: 2 })
})

test('a required choice that is not made, or not offered any more, is shown as open', async () => {
  const team = { type: 'string', choices: ['red', 'blue'], required: true }
  const site = await openSite({ USER_FIELDS: { team } })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page } = await site.visit(browser())
  await logIn(page)
  const choice = page.getByLabel('Team', { exact: true })
  await choice.waitFor()
  for (const extra of ['{}', '{"team":"green"}']) {
    await site.db.updateTable('users').set({ extra }).execute()
    await page.reload()
    await choice.waitFor()
    expect(await choice.inputValue(), extra).toBe('')
    await choice.selectOption('red')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await savedIn(page)).toMatchObject({ team: 'red' })
  }
})

test('what another tab has saved meanwhile stays', async () => {
  const site = await openTestSite()
  const { context, page } = await site.visitAs({ username: 'ada' }, browser())
  const other = await context.newPage()
  await other.goto('/account/')
  await page.getByLabel('Last name').waitFor()
  for (const [tab, label, name] of [
    [other, 'First name', 'Ada'],
    [page, 'Last name', 'King'],
    [page, 'Last name', 'Lovelace'],
    [other, 'First name', 'Augusta'],
  ] as const) {
    await tab.getByLabel(label).fill(name)
    const answered = tab.waitForResponse((one) => one.request().method() === 'PATCH')
    await tab.getByRole('button', { name: 'Save' }).click()
    expect((await answered).status()).toBe(200)
  }
  expect(await savedIn(page)).toMatchObject({ first_name: 'Augusta', last_name: 'Lovelace' })
})
