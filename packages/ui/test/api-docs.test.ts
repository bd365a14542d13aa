import { expect, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openSite, PASSWORD } from './support.ts'

const browser = useBrowser()

test('the page of the API shows it and tries it, by nothing but our own files', async () => {
  // Without modules, half as many operations are shown.
  const site = await openSite({ AUTH_PREFIX: '/api/v1/', MODULES: [] })
  await site.createUser({ username: 'ada', password: PASSWORD })
  const { page, context, faults } = await site.visit(browser())
  await page.goto('/api/v1/docs')

  /** Opens an operation, sends a request, and returns the status of its answer. */
  async function tryIt(name: string, body?: object): Promise<string> {
    const operation = page.locator(`.opblock[id$="-${name}"]`)
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    if (body) await operation.locator('textarea').fill(JSON.stringify(body))
    await operation.getByRole('button', { name: 'Execute' }).click()
    return operation.locator('.live-responses-table .response-col_status').last().innerText()
  }

  expect(await tryIt('login', { username: 'ada', password: PASSWORD })).toContain('200')
  const cookies = (await context.cookies()).map(({ name }) => name)
  expect(cookies.toSorted()).toEqual(['csrftoken', 'sessionid'])

  // The cookie of the session signs in, and the token that it needs comes with it.
  expect(await tryIt('updateUser', { first_name: 'Ada' })).toContain('200')
  expect(faults).toEqual([])
})
