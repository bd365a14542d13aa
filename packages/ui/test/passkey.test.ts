import { expect, test } from 'vitest'
import { addToBrowser } from '../../server/src/testing/virtual-authenticator.ts'
import { addVirtualAuthenticator, useBrowser } from '../../server/test/support/browser.ts'
import { countRows } from '../../server/test/support/dump.ts'
import {
  ADA,
  during,
  GIVES_NO_PASSKEY,
  logIn,
  openSite,
  openTestSite,
  PASSWORD,
} from './support.ts'

const browser = useBrowser()

/** The virtual authenticator would take every offer at once, so none is made. */
const NO_OFFERS = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

test('a passkey of the test service signs in', async () => {
  const site = await openTestSite()
  const { passkey } = await site.user({ username: 'ada', passkey: true })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(NO_OFFERS)
  await addToBrowser(context, page, passkey)
  await page.goto('/account/login/')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.events({ type: 'signedIn' })).toMatchObject([
    { method: 'passkey', user: { username: 'ada' } },
  ])
  expect(faults).toEqual([])
})

test('a passkey from the field that is refused is told', async () => {
  const site = await openTestSite()
  const { passkey } = await site.user({ username: 'ada', passkey: true })
  const { context, page, faults } = await site.visit(browser())
  // The virtual authenticator takes the offer at once.
  await addToBrowser(context, page, passkey)
  const refusal = { status: 503, json: { detail: 'Not now.' } }
  await page.route('**/passkeys/login/complete/', (route) => route.fulfill(refusal))
  await page.goto('/account/login/')
  await page.getByRole('alert').getByText('Something went wrong on our side.').waitFor()
  expect(faults).toEqual([])
})

test.each(['the field', 'the button'])(
  'a passkey from %s whose user is unconfirmed asks for the address',
  async (where) => {
    const site = await openTestSite({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
    const ada = { username: 'ada', email: ADA, verified: false, passkey: true }
    const { passkey } = await site.user(ada)
    const { context, page, faults } = await site.visit(browser())
    if (where === 'the button') await context.addInitScript(NO_OFFERS)
    await addToBrowser(context, page, passkey)
    await page.goto('/account/login/')
    if (where === 'the button') {
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    }
    await page.getByText('Your e-mail address is not confirmed yet.').waitFor()
    expect(page.url()).toBe(`${site.url}/account/check-your-mail/?about=address`)
    expect(faults).toEqual([])
  },
)

/** Says that it adds passkeys quietly, and never answers when asked to. The time for that never ends. */
const SILENT_BROWSER = `
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  navigator.credentials.create = () => (window.isAsked = true, new Promise(() => {}))
  const wait = setTimeout
  setTimeout = (then, ms, ...rest) => (ms === 1500 ? (window.giveUp = then, 0) : wait(then, ms, ...rest))`

test('a browser that is asked for a passkey and stays silent keeps nobody waiting', async () => {
  const site = await openTestSite()
  await site.user({ username: 'ada', password: PASSWORD })
  const { context, page } = await site.visit(browser())
  await context.addInitScript(SILENT_BROWSER)
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await page.evaluate('isAsked')).toBe(true)

  // From then on it is not asked again, also before a page that would have to wait for it.
  await page.evaluate('giveUp()')
  await logIn(page, 'ada', PASSWORD, '?next=/healthz')
  await page.waitForURL(`${site.url}/healthz`)

  // Instead, the account page offers one.
  await logIn(page)
  await page.getByRole('button', { name: 'Not now' }).waitFor()
})

const WILLING = { transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const

test('an account begins with a passkey; a refused address is told at its field', async () => {
  const site = await openSite({ ACCOUNT: { BLOCKED_EMAIL_DOMAINS: ['spam.example'] } })
  const { context, page, faults } = await site.visit(browser())
  await addVirtualAuthenticator(context, WILLING)
  await page.goto('/account/register/')
  await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click()
  expect(await page.locator('[type=password]').count()).toBe(0)
  await page.getByLabel('Username').fill('ada')
  const address = page.getByLabel('E-mail address')
  await address.fill('ada@spam.example')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('This e-mail address cannot be used here.').waitFor()
  expect(await address.getAttribute('aria-invalid')).toBe('true')

  await address.fill(ADA)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect((await site.findUser('ada')).password).toMatch(/^!/)
  const [made, ...others] = await site.db.selectFrom('passkeys').select('name').execute()
  expect(made?.name).toMatch(/Chrom/)
  expect(others).toEqual([])
  expect(faults).toEqual([])
})

test('a browser that makes no passkey leaves the form as it is, for a password', async () => {
  const site = await openSite()
  const { context, page } = await site.visit(browser())
  await context.addInitScript(
    `navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError') }`,
  )
  await page.goto('/account/register/')
  await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click()
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('E-mail address').fill(ADA)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.locator('.notice.bad').waitFor()
  expect(await countRows(site.db, 'users')).toBe(0)
  await page.getByRole('button', { name: 'Use a password instead' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await site.findUser('ada')).toMatchObject({ email: ADA })
})

/**
 * Like a browser whose password manager has just filled in the password. The authenticator data says
 * that nobody was present, and nobody verified.
 */
const CREATES_QUIETLY = `
  ${NO_OFFERS}
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  const create = navigator.credentials.create.bind(navigator.credentials)
  navigator.credentials.create = async ({ mediation, ...request }) => {
    if (mediation !== 'conditional') throw new Error('It asks the user.')
    const made = await create(request)
    const bytes = new Uint8Array(made.response.attestationObject)
    const domain = new Uint8Array(made.response.getAuthenticatorData()).slice(0, 32)
    const start = bytes.findIndex((_, at) => domain.every((byte, i) => bytes[at + i] === byte))
    bytes[start + 32] &= ~0x05
    return made
  }
`

test('after a login with a password the browser adds a passkey, if it can do so quietly', async () => {
  const site = await openSite()
  await site.createUser({ username: 'ada', password: PASSWORD, verified: true })
  const { context, page, faults } = await site.visit(browser())
  await addVirtualAuthenticator(context, WILLING)
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  expect(await countRows(site.db, 'passkeys')).toBe(0)

  await context.clearCookies()
  await context.addInitScript(CREATES_QUIETLY)
  await logIn(page)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  // The service loads what verifies it at this moment.
  await expect.poll(() => countRows(site.db, 'passkeys'), { timeout: 20_000 }).toBe(1)
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Not now' }).count()).toBe(0)
  expect(faults).toEqual([])
})

test('no passkey is added quietly where the user must be verified: it is offered', async () => {
  const site = await openSite({ REST_AUTH: { PASSKEY_USER_VERIFICATION: 'required' } })
  await site.createUser({ username: 'ada', password: PASSWORD, verified: true })
  const { context, page, faults } = await site.visit(browser())
  await context.addInitScript(SILENT_BROWSER)
  const begun: string[] = []
  page.on('request', (one) => one.url().endsWith('/register/begin/') && begun.push(one.url()))
  await logIn(page)
  await page.getByRole('button', { name: 'Not now' }).waitFor()
  expect(begun).toEqual([])
  expect(faults).toEqual([])
})

/** A security key that stores no passkeys: it works only with a list of them. */
const PLAIN_KEY = { transport: 'usb', hasResidentKey: false, hasUserVerification: false } as const

test('a key that stores no passkeys works after the name is typed, and in the dialog', async () => {
  const site = await openSite({ ACCOUNT: { REAUTHENTICATION_REQUIRED: true } })
  const { context, page, faults } = await site.visit(browser())
  await addVirtualAuthenticator(context, PLAIN_KEY)
  await context.addInitScript(NO_OFFERS)
  await site.createUser({ username: 'ada', password: PASSWORD, verified: true })
  await logIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect.poll(() => countRows(site.db, 'passkeys')).toBe(1)
  const stored = site.db.selectFrom('passkeys').select(['transports', 'discoverable'])
  expect(await stored.execute()).toEqual([{ transports: '["usb"]', discoverable: 0 }])

  await context.clearCookies()
  await page.goto('/account/login/')
  await page.getByLabel('Username or e-mail address').fill('ada')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

  site.clock.advance(3_600_000)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByAltText('QR code for your authenticator app').waitFor()
  expect(faults).toEqual([])
})

/** Some browsers wait for a key that the list names, until the user cancels. This one cancels at once. */
const CANCELLING = `
  const get = navigator.credentials.get.bind(navigator.credentials)
  navigator.credentials.get = async (options) => {
    if (options.publicKey.allowCredentials?.length) throw new DOMException('', 'NotAllowedError')
    return get(options)
  }`

test.each([
  ['a wrong name', {}, 'adx'],
  ['half an address', { LOGIN_METHODS: ['email'] }, 'ad'],
])('%s in the field keeps nobody from their passkey', async (_, ACCOUNT, typed) => {
  const site = await openTestSite({ ACCOUNT })
  const { passkey } = await site.user({ username: 'ada', passkey: true })
  const { context, page } = await site.visit(browser())
  await context.addInitScript(NO_OFFERS)
  await context.addInitScript(CANCELLING)
  await addToBrowser(context, page, passkey)
  await page.goto('/account/login/')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  // A form that is filled in before the script runs would stay.
  await button.waitFor()
  await page.locator('input').first().fill(typed)
  await button.click()
  await page.locator('.notice.bad').waitFor()
  await button.click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
})

test.each([
  ['another name', { fields: ['pk', 'login'], as: { login: 'username' } }],
  ['the name of another', { fields: ['pk', 'username'], as: { username: 'first_name' } }],
])('the dialog knows the name that the API shows as %s', async (_, USER_DETAILS_SERIALIZER) => {
  const site = await openTestSite({
    ACCOUNT: { REAUTHENTICATION_REQUIRED: true },
    REST_AUTH: { USER_DETAILS_SERIALIZER },
  })
  const ada = { username: 'ada', first_name: 'Grace' }
  const { page } = await site.visitAs(ada, browser(), '1h')
  await page.evaluate(GIVES_NO_PASSKEY)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const use = page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' })
  const begun = await during(page.waitForRequest('**/passkeys/login/begin/'), () => use.click())
  const { username } = begun.postDataJSON()
  expect(username).toBe('login' in USER_DETAILS_SERIALIZER.as ? 'ada' : '')
})

test('adding a passkey tells a browser that makes none from a service that is out of reach', async () => {
  const site = await openTestSite()
  const { page } = await site.visitAs({ username: 'ada' }, browser())
  await page.evaluate(
    `navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError') }`,
  )
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await page.getByText('No passkey was created.').waitFor()

  await page.route('**/passkeys/register/begin/', (route) => route.abort())
  await add.click()
  await page.getByText('We could not reach the service.').waitFor()
})
