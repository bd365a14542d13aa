import { expect, test } from 'vitest'
import { signup } from '../../server/test/support/accounts.ts'
import { useBrowser } from '../../server/test/support/browser.ts'
import { activate } from '../../server/test/support/mfa.ts'
import { lookingAt } from './looks.ts'
import { logIn, openSite } from './support.ts'

const browser = useBrowser()

/** A dozen pages, each of them examined. */
const SLOW = { timeout: 240_000 }

async function newSite() {
  const PROVIDERS = { github: { APP: { client_id: 'x', secret: 'y' } } }
  const site = await openSite({
    SOCIALACCOUNT: { PROVIDERS },
    USER_FIELDS: {
      team: { type: 'string', signup: true, choices: ['red', 'blue'] },
      news: { type: 'boolean' },
    },
    ACCOUNT: { DELETION: true, LOGIN_BY_CODE_ENABLED: true },
  })
  await site.request.post('registration/', signup('ada'))
  const token = await site.createUserWithToken('grace')
  await activate(site, token)
  await site.request.post('password/reset/', { email: 'grace@example.com' })
  return site
}

test('nothing stands in the way: light on a phone, and dark on a desk', SLOW, async () => {
  const site = await newSite()
  const { page } = await site.visit(browser())
  const { found, lookAt } = await lookingAt(page)

  await page.goto('/account/login/')
  await lookAt('Sign in')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Please fill this in').waitFor()
  await lookAt('Sign in')
  await page.getByRole('link', { name: 'Get a code by e-mail' }).click()
  await lookAt('Sign in with a code')
  await page.locator('.foot a').click()
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByLabel('Password', { exact: true }).fill('abc')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('This password is too short').waitFor()
  await lookAt('Create your account')
  await page.goto('/account/check-your-mail/')
  await lookAt('Check your mail')
  await page.goto('/account/check-your-mail/?about=address')
  await lookAt('Confirm your e-mail address')
  await page.goto('/account/password/reset/')
  await lookAt('Forgot your password?')
  await page.goto(await site.linkTo('verify-email'))
  await lookAt('Confirm your e-mail address')
  await page.goto('/account/confirm/nothing')
  await lookAt('This link no longer works')
  await page.goto(await site.linkTo('reset-password', 'grace@example.com'))
  await page.getByRole('button', { name: 'Show' }).waitFor()
  await lookAt('Choose a new password')
  await logIn(page, 'grace', 'correct horse battery staple')
  await lookAt('Second step')
  await logIn(page)
  await page.getByRole('region', { name: 'Devices' }).getByText('This device').waitFor()
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await lookAt('Your account')
  expect(found).toEqual([])
})
