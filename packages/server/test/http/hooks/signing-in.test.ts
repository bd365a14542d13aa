import { afterAll, expect, test } from 'vitest'
import type { Hooks, SigningIn } from '../../../src/core/hooks.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { signup } from '../../support/accounts.ts'
import { KEY, UNABLE, UNAVAILABLE } from '../../support/answers.ts'
import { codesIn, EXPIRED } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { endless, startWithHooks, writesNothing, writesNothingIfLate } from '../../support/hooks.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { activate, challengeOf, codeOf, verify } from '../../support/mfa.ts'
import { logIn as logInWithPasskey, registered } from '../../support/passkeys.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const idp = await startHostileProvider(afterAll)

/** A service with Ada, whose hook says what the test wants. */
async function start(settings: object = {}) {
  const asked: SigningIn[] = []
  const host: { says: NonNullable<Hooks['signingIn']> } = { says: () => {} }
  const auth = await startWithHooks(
    {
      signingIn(login) {
        asked.push(login)
        return host.says(login)
      },
    },
    { ...idp.settings(), ...settings, ACCOUNT: { LOGIN_BY_CODE_ENABLED: true } },
  )
  const token = await auth.createUserWithToken('ada')
  const logIn = () => auth.request.post('login/', { username: 'ada', password: PASSWORD })
  asked.length = 0
  return { ...auth, token, asked, host, logIn }
}

const closed = () => refuse('The office is closed.')
const CLOSED = { non_field_errors: ['The office is closed.'] }

test('a refused login leaves nothing behind: no login, no cookie, no new device', async () => {
  const auth = await start()
  auth.host.says = closed
  const reply = await writesNothing(auth, auth.logIn)
  expect(reply).toMatchReply(400, CLOSED)
  expect(reply.cookies).toEqual([])
  auth.host.says = () => {}
  expect(await auth.logIn()).toMatchReply(200, KEY)
})

test('it sees the user, the way in and the address, and can change none of them', async () => {
  const { asked, host, logIn, findUser } = await start({
    USER_FIELDS: { tags: { type: 'list', default: ['new'] } },
  })
  host.says = (login) => {
    const user = login.user as unknown as { is_staff: boolean; fields: { tags: string[] } }
    expect(() => {
      user.is_staff = true
    }).toThrow(TypeError)
    expect(() => user.fields.tags.push('admin')).toThrow(TypeError)
  }
  expect(await logIn()).toMatchReply(200, KEY)
  const { id } = await findUser('ada')
  expect(asked).toEqual([
    {
      user: {
        pk: id,
        username: 'ada',
        email: 'ada@example.com',
        first_name: '',
        last_name: '',
        email_verified: true,
        is_active: true,
        is_staff: false,
        is_superuser: false,
        groups: [],
        language: null,
        date_joined: '2030-01-01T12:00:00.000Z',
        last_login: '2030-01-01T12:00:00.000Z',
        fields: { tags: ['new'] },
      },
      method: 'password',
      address: '127.0.0.1',
    },
  ])
})

test('it is asked at the end of every way in, and none goes around it', async () => {
  const auth = await start()
  const { request, token, asked, host, db, clock } = auth
  const { begin, confirm } = codesIn(auth)
  const passkey = await registered(request, token)
  const id_token = () => idp.idToken(clock)
  await request.post('idp/connect/', { id_token: await id_token() }, { token })
  const logins = await countRows(db, 'logins')

  host.says = closed
  const refused = [
    await auth.logIn(),
    await confirm(await begin()),
    await logInWithPasskey(request, passkey),
    await request.post('idp/', { id_token: await id_token() }),
  ]
  for (const reply of refused) {
    expect(reply).toMatchReply(400, CLOSED)
    expect(reply.cookies).toEqual([])
  }
  expect(await countRows(db, 'logins')).toBe(logins)
  expect(asked.map(({ method }) => method)).toEqual(['password', 'code', 'passkey', 'social'])
})

test.each([
  ['refuses', closed, 400],
  ['fails', () => Promise.reject(new Error('the directory is down')), 503],
])(
  'a code is used up if it %s, and an unproved address stays unproved',
  async (_, says, status) => {
    const auth = await start()
    const { request, host, mail, findUser } = auth
    const { begin, confirm } = codesIn(auth)
    const { body } = await request.post('registration/', signup('bob'))
    const { key: token } = body as { key: string }
    const begun = await begin('bob@example.com')
    const before = [
      await findUser('bob'),
      await mail.letters(),
      await countRows(auth.db, 'audit_events'),
    ]
    host.says = says
    expect((await confirm(begun)).status).toBe(status)
    const after = [
      await findUser('bob'),
      await mail.letters(),
      await countRows(auth.db, 'audit_events'),
    ]
    expect(after).toEqual(before)
    expect((await request.get('user/', { token })).status).toBe(200)
    host.says = () => {}
    expect(await confirm(begun)).toMatchReply(400, EXPIRED)
    expect(await confirm(await begin('bob@example.com'))).toMatchReply(200, KEY)
    expect(await findUser('bob')).toMatchObject({ email_verified: 1 })
    expect((await request.get('user/', { token })).status).toBe(401)
  },
)

test('with a second factor it is asked only after that', async () => {
  const auth = await start()
  const { secret } = await activate(auth, auth.token)
  auth.host.says = closed
  const challenge = await challengeOf(auth, 'ada')
  expect(auth.asked).toEqual([])
  const logins = await countRows(auth.db, 'logins')
  const reply = await verify(auth, challenge, codeOf(auth, secret))
  expect(reply).toMatchReply(400, CLOSED)
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(logins)
  expect(auth.asked.map(({ method }) => method)).toEqual(['password'])
})

test('a second factor that is switched on meanwhile keeps a login without it out', async () => {
  const auth = await start()
  auth.host.says = async () => void (await activate(auth, auth.token))
  const reply = await auth.logIn()
  expect(reply).toMatchReply(400, UNABLE)
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(0)
})

test('it is not asked about somebody who has not proved who they are', async () => {
  const { request, token, asked, administration, findUser, logIn, clock } = await start()
  const wrong = { username: 'ada', password: 'a guess of a stranger' }
  expect(await request.post('login/', wrong)).toMatchReply(400, UNABLE)
  await request.post('idp/connect/', { id_token: await idp.idToken(clock) }, { token })
  await administration.deactivate(await findUser('ada'))
  expect(await logIn()).toMatchReply(400, UNABLE)
  expect((await request.post('idp/', { id_token: await idp.idToken(clock) })).status).toBe(400)
  expect(asked).toEqual([])
})

test('whoever registers and may not log in has an account, and is told so without a credential', async () => {
  const { request, host, asked, db, findUser } = await start()
  const logins = await countRows(db, 'logins')
  host.says = () => refuse({ email: ['We call you back.', 'Please wait.'] })
  const reply = await request.post('registration/', signup('bob'))
  expect(reply).toMatchReply(201, { detail: 'We call you back. Please wait.' })
  expect(reply.cookies).toEqual([])
  expect(asked.map(({ method }) => method)).toEqual(['registration'])
  expect(await findUser('bob')).toMatchObject({ last_login_at: null })
  expect(await countRows(db, 'logins')).toBe(logins)
})

test.each([
  ['says nothing of use', () => Promise.reject(undefined)],
  [
    'throws',
    () => {
      throw new Error('the directory is down')
    },
  ],
])('a hook that %s is logged, and refuses with 503', async (_, says) => {
  const auth = await start()
  auth.host.says = says
  const reply = await writesNothing(auth, auth.logIn)
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(reply.cookies).toEqual([])
  const log = auth.lines.join('')
  expect(log).toContain('"hook":"signingIn"')
  expect(log).not.toContain(PASSWORD)
})

test('a hook that takes too long refuses, and its late consent is worth nothing', async () => {
  const auth = await start()
  const late = endless()
  auth.host.says = late.hook
  const reply = await writesNothingIfLate(auth, late, auth.logIn)
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(reply.cookies).toEqual([])
})

test('a user who is deactivated while the hook thinks does not get in', async () => {
  const { host, logIn, administration, findUser, db } = await start()
  host.says = async () => {
    await administration.deactivate(await findUser('ada'))
  }
  expect(await logIn()).toMatchReply(400, UNABLE)
  expect(await countRows(db, 'logins')).toBe(0)
})
