import { expect, test } from 'vitest'
import { addVirtualAuthenticator, useBrowser } from '../../server/test/support/browser.ts'
import { codeOf } from '../../server/test/support/mfa.ts'
import { ADA, logIn, openSite, openTestSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const NEW_PASSWORD = 'Qq-7788-zz-harbour'
const NEW_ADDRESS = 'ada@new.example'

test('from the registration to the farewell', { timeout: 240_000 }, async () => {
  const site = await openSite({
    ACCOUNT: { EMAIL_VERIFICATION: 'mandatory', DELETION: true },
  })
  const { context, page, faults } = await site.visit(browser())
  // The virtual authenticator would take every offer at once, so none is made.
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  let secret = ''
  /** The next code of the authenticator app; each is good once. */
  const nextCode = () => {
    site.clock.advance(30_000)
    return codeOf(site, secret)
  }

  // Register, and confirm by the link of the mail.
  await page.goto('/account/register/')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press('Create account')
  await heading('Check your mail').waitFor()
  await page.goto(await site.linkTo('verify-email'))
  await press('Yes, confirm the address')
  await heading('Your e-mail address is confirmed').waitFor()
  await page.getByRole('link', { name: 'Go to sign in' }).click()

  // Log in, and turn the second step on.
  await page.getByLabel('Username or e-mail address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press('Sign in')
  await heading('Your account').waitFor()
  await press('Set up an authenticator app')
  secret = (await section('Two-step sign-in').locator('code').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(nextCode())
  await press('Turn on')
  await page.getByText('Recovery codes for Example').waitFor()
  expect(await section('Two-step sign-in').locator('li').count()).toBe(10)
  await press('I have saved them')
  await page.getByText('Recovery codes left: 10').waitFor()

  // Log out, and in with a code.
  await press('Sign out')
  await heading('Sign in').waitFor()
  await logIn(page)
  await heading('Second step').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(nextCode())
  await press('Continue')
  await heading('Your account').waitFor()

  // A passkey, and in with it.
  await addVirtualAuthenticator(context, {
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  })
  await press('Add a passkey')
  await section('Passkeys').getByText('Added').waitFor()
  await press('Sign out')
  await heading('Sign in').waitFor()
  await press('Sign in with a passkey')
  await heading('Your account').waitFor()

  // A forgotten password.
  await press('Sign out')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail address').fill(ADA)
  await press('Send the link')
  await heading('Check your mail').waitFor()
  await page.goto(await site.linkTo('reset-password'))
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await press('Set the new password')
  await heading('Your password has been changed').waitFor()
  await logIn(page, 'ada', NEW_PASSWORD)
  await page.getByLabel('Code', { exact: true }).fill(nextCode())
  await press('Continue')
  await heading('Your account').waitFor()

  // Another address.
  await press('Change the address')
  await page.getByLabel('New e-mail address').fill(NEW_ADDRESS)
  await section('E-mail address').getByLabel('Current password').fill(NEW_PASSWORD)
  await press('Send the link')
  await page.getByText(`We have sent a link to ${NEW_ADDRESS}`).waitFor()
  await page.goto(await site.linkTo('change-email', NEW_ADDRESS))
  await press('Use this address')
  await heading('Your e-mail address has been changed').waitFor()
  expect(await site.findUser('ada')).toMatchObject({ email: NEW_ADDRESS, email_verified: 1 })

  // Another device, ended from here.
  const phone = await site.visit(browser())
  await logIn(phone.page, NEW_ADDRESS, NEW_PASSWORD)
  await phone.page.getByLabel('Code', { exact: true }).fill(nextCode())
  await phone.page.getByRole('button', { name: 'Continue' }).click()
  await phone.page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  await page.goto('/account/')
  const theirs = section('Devices').getByRole('button', { name: /^Sign out .+ on / })
  await theirs.click()
  await theirs.waitFor({ state: 'hidden' })
  await phone.page.reload()
  await phone.page.getByRole('heading', { name: 'Sign in' }).waitFor()

  // And leave.
  await press('Delete my account')
  await section('Delete your account').getByLabel('Current password').fill(NEW_PASSWORD)
  await page.getByLabel('Code from your authenticator app').fill(nextCode())
  await press('Delete for good')
  await heading('Your account has been deleted').waitFor()
  await expect(site.findUser('ada')).rejects.toThrow()
  expect([...faults, ...phone.faults]).toEqual([])
})

test('pages can be printed, and recovery codes fit on one sheet', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada', totp: true }, browser())
  const title = page.getByRole('heading', { name: 'Your account', exact: true })
  await title.waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await title.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Show recovery codes' }).click()
  await page.locator('.codes').waitFor()
  expect(await title.isVisible()).toBe(false)
  const sheets = String(await page.pdf()).match(/\/Type\s*\/Page\b/g)
  expect(sheets).toHaveLength(1)
})
