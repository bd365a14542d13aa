import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { impersonationOf } from '../../server/test/support/impersonation.ts'
import { openSite } from './support.ts'

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
