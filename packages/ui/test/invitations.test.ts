import { expect, test } from 'vitest'
import { freePort, useBrowser } from '../../server/test/support/browser.ts'
import { BY_USERS, INVITED, invite } from '../../server/test/support/invitations.ts'
import { misfitsOn } from './fits.ts'
import { during, logIn, openAdmin, openSite, PASSWORD } from './support.ts'

const browser = useBrowser()
const BOB = 'bob@example.com'
/** Runs in the page: the addresses that are not shown whole. */
const CUT = `[...document.querySelectorAll('.invitations .who > *')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`
const LONG = `${'a.rather.long.name'.repeat(3)}@subdomain-of.example.com`

test('an operator invites, and the link in the mail opens an account with that address', async () => {
  const port = await freePort()
  const site = await openAdmin({ ...INVITED, PORT: port })
  await site.app.listen({ host: 'localhost', port })
  const { page, faults } = await site.visitAs('root', { superuser: true }, browser())
  const dialog = page.getByRole('dialog')
  await page.goto('/admin/')
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByText('Nobody is invited at the moment.').waitFor()
  for (const email of [BOB, LONG]) {
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByLabel('Groups').fill('editors, authors')
    await dialog.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByText(email).waitFor()
  }
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const cut = await page.evaluate(CUT)
    expect(cut, `${width} pixels wide`).toEqual([])
  }
  const revoke = page.getByRole('button', { name: `Revoke the invitation to ${LONG}` })
  await revoke.click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await revoke.waitFor({ state: 'detached' })
  // The row is gone, and its button with it.
  await page.locator('h2:focus', { hasText: 'Invitations' }).waitFor()
  expect(faults).toEqual([])

  const { page: theirs } = await site.visit(browser())
  const link = (await site.mail.newest('invitation', BOB)).values.link ?? ''
  await theirs.goto(link)
  await theirs.getByText(`Your account will have the address ${BOB}.`).waitFor()
  expect(await theirs.getByLabel('E-mail address').count()).toBe(0)
  await theirs.getByLabel('Username').fill('bob')
  await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Create account' }).click()
  await theirs.getByText(`Your address is ${BOB}.`).waitFor()
  expect(await site.findUser('bob')).toMatchObject({
    email: BOB,
    email_verified: 1,
    group_names: '["editors","authors"]',
  })

  for (const spent of [link, (await site.mail.newest('invitation', LONG)).values.link ?? '']) {
    await theirs.goto(spent)
    await theirs.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    expect(await theirs.locator('form').count()).toBe(0)
  }
  await theirs.getByRole('link', { name: 'Go to sign in' }).click()
})

test('an invitation gives the fields that the operator fills in, and no others', async () => {
  const USER_FIELDS = {
    team: { type: 'string', choices: ['blue', 'red'], required: true },
    seats: { type: 'integer', required: true },
    member: { type: 'boolean' },
  }
  const site = await openAdmin({ ...INVITED, USER_FIELDS })
  const { page, faults } = await site.visitAs('clerk', { staff: true }, browser())
  const dialog = page.getByRole('dialog')
  await page.goto('/admin/invitations/')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await dialog.getByLabel('E-mail address').fill(BOB)
  await dialog.getByLabel('Team').selectOption('blue')
  await dialog.getByLabel('Reason').fill('ticket 4711')
  const sent = await during(
    page.waitForRequest((one) => one.method() === 'POST'),
    () => dialog.getByRole('button', { name: 'Invite somebody' }).click(),
  )
  const given = { email: BOB, reason: 'ticket 4711', fields: { team: 'blue' } }
  expect(sent.postDataJSON()).toEqual(given)
  await page.getByText('Team: blue').waitFor()
  expect(faults).toEqual([])
})

test('a user invites from the account page, sends again, and revokes', async () => {
  const ACCOUNT = { ...BY_USERS.ACCOUNT, BLOCKED_EMAIL_DOMAINS: ['spam.example'] }
  const site = await openSite({ ...BY_USERS, ACCOUNT })
  await site.createUser({ username: 'ada', password: PASSWORD, verified: true })
  const { page, faults } = await site.visit(browser())
  await logIn(page)
  const section = page.getByRole('region', { name: 'Invitations' })
  const address = section.getByLabel('E-mail address')
  const inviting = async (email: string) => {
    await address.fill(email)
    await section.getByRole('button', { name: 'Invite', exact: true }).click()
  }
  await inviting('eve@spam.example')
  await section.getByText('This e-mail address cannot be used here.').waitFor()
  await inviting(BOB)
  await section.getByText(BOB).waitFor()
  expect(await address.inputValue()).toBe('')
  site.clock.advance(1000)
  await inviting(LONG)
  await section.getByText(LONG).waitFor()
  await expect.poll(() => address.inputValue()).toBe('')
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await misfitsOn(page)).toEqual([])
  await address.fill('carol@example.com')
  await section.getByRole('button', { name: `Revoke the invitation to ${LONG}` }).click()
  await section.getByText(LONG).waitFor({ state: 'detached' })
  expect(await address.inputValue()).toBe('carol@example.com')

  const first = await site.linkTo('invitation', BOB)
  site.clock.advance(60_000)
  await section.getByRole('button', { name: `Send the invitation to ${BOB} again` }).click()
  await expect.poll(() => site.linkTo('invitation', BOB)).not.toBe(first)
  await section.getByRole('button', { name: `Revoke the invitation to ${BOB}` }).click()
  await section.getByText(BOB).waitFor({ state: 'detached' })
  expect((await fetch(await site.linkTo('invitation', BOB))).status).toBe(404)
  expect(faults).toEqual([])
})

test.each([
  ['invited', 'You need an invitation to create an account here.'],
  ['closed', 'New accounts cannot be created here at the moment.'],
])(
  '%s: the page of registration says so, and the login page does not lead there',
  async (SIGNUP, told) => {
    const site = await openSite({ ACCOUNT: { SIGNUP } })
    const { page } = await site.visit(browser())
    await page.goto('/account/register/')
    await page.getByText(told).waitFor()
    expect(await page.locator('form').count()).toBe(0)
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0)
  },
)

test('an invitation that expires while the form is open says so', async () => {
  const site = await openSite(INVITED)
  await invite(site, BOB)
  const { page } = await site.visit(browser())
  await page.goto(await site.linkTo('invitation', BOB))
  await page.getByLabel('Username').fill('bob')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  site.clock.advance(8 * 24 * 60 * 60 * 1000)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('This invitation is not valid, or no longer.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('without a username, password managers are told the address of the invitation', async () => {
  const SIGNUP_FIELDS = ['email*', 'password1*', 'password2*']
  const site = await openSite({
    ACCOUNT: { SIGNUP: 'invited', LOGIN_METHODS: ['email'], SIGNUP_FIELDS },
  })
  await invite(site, BOB)
  const { page } = await site.visit(browser())
  await page.goto(await site.linkTo('invitation', BOB))
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(await page.locator('form [autocomplete=username]').inputValue()).toBe(BOB)
})
