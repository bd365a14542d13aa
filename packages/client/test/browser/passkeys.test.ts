import { expect, test } from 'vitest'
import { addVirtualAuthenticator, useBrowser } from '../../../server/test/support/browser.ts'
import type { AuthClient, AuthError } from '../../src/index.ts'
import { newContext, openTab, tellsOf } from '../support/page.ts'
import { ADA, JWT, startService } from '../support/start-service.ts'

declare const auth: AuthClient

const browser = useBrowser()

const PLATFORM = { transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const

/** A visitor who does not choose: the virtual authenticator of the browser would, at once. */
const UNDECIDED = `navigator.credentials.get = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))`

async function openSignedIn() {
  const service = await startService(JWT)
  const context = await newContext(browser())
  const { page } = await openTab(context, service, { mode: 'jwt' })
  await page.evaluate((ada) => auth.login(ada), ADA)
  await addVirtualAuthenticator(context, PLATFORM)
  return { page, context }
}

test('a passkey is made, logs in, is renamed and deleted', async () => {
  const { page } = await openSignedIn()
  expect(await page.evaluate(() => auth.passkeys.isSupported())).toBe(true)
  const made = await page.evaluate(() => auth.passkeys.register({ name: 'Laptop' }))
  expect(made).toMatchObject({ name: 'Laptop', transports: ['internal'], discoverable: true })

  const twice = page.evaluate(() =>
    auth.passkeys.register().catch(({ status, code }: AuthError) => ({ status, code })),
  )
  expect(await twice).toEqual({ status: 0, code: 'InvalidStateError' })

  for (const user of [{ username: 'ada' }, { email: 'ada@example.com' }, {}]) {
    await page.evaluate(() => auth.logout())
    const answer = await page.evaluate((who) => auth.passkeys.login(who), user)
    expect(answer).toMatchObject({ user: { username: 'ada' } })
    expect(await tellsOf(page)).toMatchObject({ status: 'signed-in', username: 'ada' })
  }

  const renamed = page.evaluate((id) => auth.passkeys.rename(id, { name: 'Old laptop' }), made.id)
  expect(await renamed).toMatchObject({ name: 'Old laptop' })
  await page.evaluate((id) => auth.passkeys.delete(id), made.id)
  expect(await page.evaluate(() => auth.passkeys.list())).toEqual([])
  const gone = page.evaluate(() =>
    auth.passkeys.login().catch(({ nonField }: AuthError) => nonField),
  )
  expect(await gone).toEqual(['Authentication verification failed.'])
})

test('an offer of autofill ends when it is cancelled, and when another ceremony begins', async () => {
  const { page } = await openSignedIn()
  await page.evaluate(() => auth.passkeys.register())
  await page.evaluate(() => auth.logout())
  expect(await page.evaluate(() => auth.passkeys.canAutofill())).toBe(true)
  const names = await page.evaluate(async () => {
    const ends = [{}, {}].map(() => '')
    const offer = (index: number) =>
      auth.passkeys.login({ autofill: true }).catch(({ name }: Error) => {
        ends[index] = name
      })
    const first = offer(0)
    auth.passkeys.cancel()
    await first
    const second = offer(1)
    await auth.passkeys.login()
    await second
    return ends
  })
  expect(names).toEqual(['AbortError', 'AbortError'])
  expect(await tellsOf(page)).toMatchObject({ status: 'signed-in', username: 'ada' })
})

test('a passkey proves again who is there', async () => {
  const { page } = await openSignedIn()
  await page.evaluate(() => auth.passkeys.register())
  const answer = page.evaluate(async () => auth.reauthenticate(await auth.passkeys.prove()))
  expect(await answer).toEqual({ detail: 'ok' })
})

test('autofill logs in', async () => {
  const { page } = await openSignedIn()
  await page.evaluate(() => auth.passkeys.register())
  await page.evaluate(() => auth.logout())
  const answer = await page.evaluate(() => auth.passkeys.login({ autofill: true }))
  expect(answer).toMatchObject({ user: { username: 'ada' } })
  expect(await tellsOf(page)).toMatchObject({ status: 'signed-in', username: 'ada' })
})

test('an offer is renewed before its challenge expires', async () => {
  const service = await startService({ REST_AUTH: { PASSKEY_CHALLENGE_TIMEOUT: 1 } })
  const context = await newContext(browser())
  const { page } = await openTab(context, service, { mode: 'token' }, { before: UNDECIDED })
  const isAsked = () => page.waitForRequest('**/passkeys/login/begin/')
  const first = isAsked()
  const end = page.evaluate(() =>
    auth.passkeys.login({ autofill: true }).catch(({ name }: Error) => name),
  )
  await first
  await isAsked()
  await isAsked()
  await page.evaluate(() => auth.passkeys.cancel())
  expect(await end).toBe('AbortError')
})
