import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { impersonationOf } from '../../server/test/support/impersonation.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('an operator in the account of a user sees a banner, and a way out', async () => {
  const site = await openSite({ ADMIN_IMPERSONATION: true })
  const { impersonate } = await impersonationOf(site)
  const { page, faults } = await site.visit(browser())
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto((await impersonate()).url)
  await page.getByText('You, grace, are using the account of a user').waitFor()
  await page.getByLabel('First name').fill('Ada')
  await button('Save').click()
  await page.getByText('Saved').waitFor()
  expect(await page.getByRole('region').count()).toBe(1)
  expect(await button('Sign out').count()).toBe(0)

  await button('Stop using this account').click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  expect((await site.findUser('ada')).first_name).toBe('Ada')
  expect(faults).toEqual([])
})

test('a tab of another user changes nothing in the account that an operator opens', async () => {
  const site = await openSite({ ADMIN_IMPERSONATION: true })
  const { impersonate } = await impersonationOf(site)
  await site.createUser({ username: 'bob', email: 'bob@example.com', password: PASSWORD })
  const { context, page } = await site.visit(browser())
  await logIn(page, 'bob')
  await page.getByText('Your address is bob@example.com').waitFor()
  await page.getByLabel('First name').fill('Bob')
  const other = await context.newPage()
  await other.goto((await impersonate()).url)
  await page.getByText('You, grace, are using the account of a user').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  expect((await site.findUser('ada')).first_name).toBe('')
  expect((await site.findUser('bob')).first_name).toBe('')
})
