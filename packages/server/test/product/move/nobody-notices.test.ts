import { expect, test } from 'vitest'
import { requestReset, STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
import { changeKey } from '../../support/addresses.ts'
import { KEY } from '../../support/answers.ts'
import { BY_CODE, codesIn } from '../../support/codes.ts'
import { browserNamed } from '../../support/devices.ts'
import { deliver } from '../../support/events.ts'
import { bearer, type Pair, ROTATING } from '../../support/jwt.ts'
import { challengeOf, codeOf, createUserWithMfa, verify } from '../../support/mfa.ts'
import { newMover, newSqlite, newTarget, serveOn } from '../../support/moves.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, type StartedAuth } from '../../support/start-auth.ts'
import { startWebhook } from '../../support/webhooks.ts'

const SETTINGS = {
  ACCOUNT: { ...BY_CODE, NEW_DEVICE_MAIL: true },
  REST_AUTH: { SESSION_LOGIN: true },
  MFA_ALLOW_UNVERIFIED_EMAIL: true,
}
const PAIRS = { REST_AUTH: { USE_JWT: true }, SIMPLE_JWT: ROTATING }
const FIREFOX = browserNamed(
  'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
)

/** Everything that a user can hold. The result uses each of it, once. */
async function hold(auth: StartedAuth, jwt: StartedAuth, name: string) {
  const { request } = auth
  const email = `${name}@example.com`
  const token = await auth.createUserWithToken(name)
  const { id } = await auth.findUser(name)
  const browser = await auth.logInBrowser(name)
  await request.post('login/', { username: name, password: PASSWORD }, FIREFOX)
  const passkey = await registered(request, token)
  const pair = (await jwt.request.post('login/', { username: name, password: PASSWORD }))
    .body as Pair
  const spent = (await jwt.request.post('token/refresh/', { refresh: pair.refresh })).body as Pair
  const mfa = await createUserWithMfa(auth, `${name}-mfa`)
  const challenge = await challengeOf(auth, `${name}-mfa`)
  await request.post('registration/', signup(`${name}-new`))
  const key = await verificationKey(auth, `${name}-new@example.com`)
  const code = await codesIn(auth).begin(email)
  await auth.createUser({ username: `${name}-reset`, email: `r-${email}`, verified: true })
  const reset = await requestReset(auth, `r-${email}`)
  const moving = await auth.createUserWithToken(`${name}-moves`)
  const body = { email: `${name}@new.example`, password: PASSWORD }
  await request.post('email/change/', body, { token: moving })
  const change = await changeKey(auth, `${name}@new.example`)
  const guess = { username: `${name}-reset`, password: 'wrong' }
  for (let i = 0; i < 3; i++) await request.post('login/', guess, { from: '192.0.2.7' })
  const cookies = { sessionid: browser.cookie('sessionid') }

  return async (there: StartedAuth, jwtThere: StartedAuth) => {
    const { request } = there
    const user = expect.objectContaining({ pk: id, username: name })
    expect(await request.get('user/', { token })).toMatchReply(200, user)
    expect(await request.get('user/', { cookies })).toMatchReply(200, user)
    expect(
      await request.post('login/', { username: name, password: PASSWORD }, FIREFOX),
    ).toMatchReply(200, { key: token })
    expect((await there.mail.of('new-device')).filter(({ to }) => to === email)).toHaveLength(1)
    expect((await logIn(request, passkey)).body).toMatchObject({ key: token })
    expect(await jwtThere.request.get('user/', bearer(spent.access))).toMatchReply(200, user)
    const next = await jwtThere.request.post('token/refresh/', { refresh: spent.refresh })
    expect(next.status).toBe(200)
    // A token that was spent before the move is still spent, and ends the family.
    const again = await jwtThere.request.post('token/refresh/', { refresh: pair.refresh })
    expect(again.status).toBe(401)
    expect(await verify(there, challenge, codeOf(there, mfa.secret))).toMatchReply(200, KEY)
    there.clock.advance(60_000)
    const anew = await challengeOf(there, `${name}-mfa`)
    expect(await verify(there, anew, mfa.codes[0])).toMatchReply(200, KEY)
    expect((await request.post('registration/verify-email/', { key })).status).toBe(200)
    expect((await codesIn(there).confirm(code)).body).toMatchObject({ key: token })
    const { uid, token: proof } = reset
    const confirm = { uid, token: proof, ...twice(STRONG) }
    expect((await request.post('password/reset/confirm/', confirm)).status).toBe(200)
    expect((await request.post('email/change/confirm/', { key: change })).status).toBe(200)
  }
}

test('from SQLite and back: every credential, link, code, mail and event goes on', async () => {
  const webhook = await startWebhook()
  webhook.answers(503)
  const settings = { ...SETTINGS, WEBHOOKS: [webhook.webhook] }
  const [from, to, back] = [await newSqlite(), await newTarget(), await newSqlite()]
  const move = await newMover()

  const first = await serveOn(from, settings)
  const jwt = await serveOn(from, PAIRS, first.clock)
  const useAda = await hold(first, jwt, 'ada')
  const useGrace = await hold(first, jwt, 'grace')
  const last = await first.createUser({ username: 'last' })
  await first.administration.remove(last)
  const mails = await first.mail.letters()
  expect(mails.length).toBeGreaterThan(5)
  await jwt.stop()
  await first.stop()

  expect(await move(from, to)).toMatchObject({ code: 0 })
  const second = await serveOn(to, settings, first.clock)
  const jwtThere = await serveOn(to, PAIRS, first.clock)
  expect(await second.mail.letters()).toEqual(mails)
  await useAda(second, jwtThere)
  expect((await second.createUser({ username: 'next' })).id).toBe(last.id + 1)
  await jwtThere.stop()
  await second.stop()

  expect(await move(to, back)).toMatchObject({ code: 0 })
  const third = await serveOn(back, settings, second.clock)
  const jwtBack = await serveOn(back, PAIRS, second.clock)
  await useGrace(third, jwtBack)
  expect((await third.createUser({ username: 'after' })).id).toBe(last.id + 2)
  webhook.answers(204)
  third.clock.advance(86_400_000)
  await deliver(third)
  const signups = webhook.told().filter(({ type }) => type === 'registered')
  expect(signups.map(({ user }) => user.username)).toEqual(
    expect.arrayContaining(['ada-new', 'grace-new']),
  )
})
