import { expect, test } from 'vitest'
import { refuse } from '../../server/src/kernel/refuse.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { logIn, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('what a hook says is shown: beside its field, above the form, and after a registration', async () => {
  const site = await openSite({}, undefined, undefined, {
    registering({ fields }) {
      if (fields.email.endsWith('@elsewhere.example')) refuse({ email: ['Use your work address.'] })
      if (fields.username === 'eve') refuse('We are full.')
    },
    signingIn: () => refuse('We call you back.'),
  })
  const { page, faults } = await site.visit(browser())
  const submit = async (username: string, email: string) => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
  }
  await page.goto('/account/register/')
  await submit('ada', 'ada@elsewhere.example')
  await page.getByText('Use your work address.').waitFor()
  await submit('eve', 'eve@example.com')
  await page.getByText('We are full.').waitFor()
  await submit('ada', 'ada@example.com')
  await page.getByRole('heading', { level: 1, name: 'Your account has been created' }).waitFor()
  await page.getByText('We call you back.').waitFor()
  expect(await site.findUser('ada')).toMatchObject({ email: 'ada@example.com' })

  await logIn(page)
  await page.getByText('We call you back.').waitFor()
  expect(faults).toEqual([])
})
