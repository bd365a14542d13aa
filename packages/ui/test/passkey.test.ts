import { expect, test } from 'vitest'
import { addToBrowser } from '../../server/src/testing/virtual-authenticator.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { openTestSite } from './support.ts'

const browser = useBrowser()

test('a passkey of the test service signs in', async () => {
  const site = await openTestSite()
  const { passkey } = await site.user({ username: 'ada', passkey: true })
  const { context, page, faults } = await site.visit(browser())
  // The virtual authenticator would take every offer at once, so none is made.
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  await addToBrowser(context, page, passkey)
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.events({ type: 'signedIn' })).toMatchObject([
    { method: 'passkey', user: { username: 'ada' } },
  ])
  expect(faults).toEqual([])
})
