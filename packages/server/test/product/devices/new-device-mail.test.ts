import { expect, test } from 'vitest'
import { DAY, isoTime, MINUTE } from '../../../src/kernel/clock.ts'
import { ENGLISH } from '../../../src/kernel/words/english.ts'
import { createRender } from '../../../src/mailer/render.ts'
import { lettersFrom } from '../../../src/mailer/words/from-folder.ts'
import { signup } from '../../support/accounts.ts'
import type { CallOptions } from '../../support/client.ts'
import { browserNamed } from '../../support/devices.ts'
import { countRows, dump } from '../../support/dump.ts'
import { activate, codeOf } from '../../support/mfa.ts'
import { startMode } from '../../support/modes.ts'
import { PASSWORD, SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const ON = { ACCOUNT: { NEW_DEVICE_MAIL: true } }

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'
const NEXT_FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

const firefox: CallOptions = { ...browserNamed(FIREFOX), from: '192.0.2.1' }
const safari: CallOptions = { ...browserNamed(SAFARI), from: '192.0.2.1' }

async function start(input: object = ON) {
  const auth = await startMode('session', input)
  const notices = () => auth.mail.of('new-device')
  return { ...auth, notices }
}

test('a login from a device that was not seen before is told, once', async () => {
  const { logIn, notices } = await start()
  await logIn('ada', firefox)
  expect(await notices()).toEqual([])
  await logIn('ada', safari)
  expect(await notices()).toEqual([
    {
      to: 'ada@example.com',
      template: 'new-device',
      values: {
        username: 'ada',
        time: '2030-01-01T12:00:00.000Z',
        address: '192.0.2.1',
        browser: 'Safari',
        system: 'iPhone',
      },
    },
  ])
  await logIn('ada', safari)
  await logIn('ada', firefox)
  expect(await notices()).toHaveLength(1)
})

test('the mail says when, where from and how to end it', async () => {
  const { mail, logIn } = await start()
  await logIn('ada', firefox)
  await logIn('ada', safari)
  const { template, values } = await mail.newest('new-device', 'ada@example.com')
  const shown = { ...values, site: 'example.com' }
  const { text } = createRender(lettersFrom(null, 'en'))(template, shown, ENGLISH)
  const words = text.replaceAll(/\s+/g, ' ')
  expect(words).toContain(
    'It was Safari on iPhone, from the address 192.0.2.1, on 2030-01-01 12:00 UTC.',
  )
  expect(words).toContain('ask for a new password now. This ends every login')
})

test.each([
  ['another network', { ...browserNamed(FIREFOX), from: '203.0.113.5' }, 1],
  ['another IPv6 network', { ...browserNamed(FIREFOX), from: '2001:db8::1' }, 1],
  ['a neighbour in the network', { ...browserNamed(FIREFOX), from: '192.0.77.8' }, 0],
  ['an updated browser', { ...browserNamed(NEXT_FIREFOX), from: '192.0.2.1' }, 0],
  ['no browser at all', { ...browserNamed(''), from: '192.0.2.1' }, 1],
])('%s', async (_, call, told) => {
  const { logIn, notices } = await start()
  await logIn('ada', firefox)
  await logIn('ada', call)
  expect(await notices()).toHaveLength(told)
})

test('a device is known after all logins have ended, and new again after a year', async () => {
  const { auth, logIn, notices, mail, administration, findUser, clock, db } = await start()
  await logIn('ada', firefox)
  await logIn('ada', safari)
  await administration.revoke(await findUser('ada'))
  await logIn('ada', safari)
  expect(await notices()).toHaveLength(1)
  clock.advance(200 * DAY)
  await logIn('ada', firefox)
  clock.advance(200 * DAY)
  await auth.sweep()
  expect(await countRows(db, 'known_devices')).toBe(1)
  await logIn('ada', safari)
  const { values } = await mail.newest('new-device', 'ada@example.com')
  expect(values.time?.slice(0, 10)).toBe(isoTime(clock.now()).slice(0, 10))
})

test('a device stays known when SECRET_KEY is replaced', async () => {
  const before = await startMode('session', ON, { shared: true })
  await before.logIn('ada', firefox)
  const keys = { SECRET_KEY: 'another key for tests only, long enough', ...ON }
  const during = await startMode(
    'session',
    { ...keys, SECRET_KEY_FALLBACKS: [SECRET_KEY] },
    { beside: before },
  )
  await during.logIn('ada', firefox)
  const after = await startMode('session', keys, { beside: before })
  await after.logIn('ada', firefox)
  expect(await after.mail.of('new-device')).toEqual([])
  expect(await countRows(after.db, 'known_devices')).toBe(1)
})

test('the first login after a registration, or of a user from before, tells nobody', async () => {
  const { request, notices, logIn, findUser, db } = await start()
  await request.post('registration/', signup('bob'), firefox)
  await logIn('ada', safari)
  expect(await notices()).toEqual([])
  const { id } = await findUser('bob')
  const devices = db.selectFrom('known_devices').selectAll().where('user_id', '=', id)
  expect(await devices.execute()).toHaveLength(1)
})

test('nothing is sent or kept unless the setting says so', async () => {
  const { logIn, mail, db } = await start({})
  await logIn('ada', firefox)
  await logIn('ada', safari)
  expect(await mail.letters()).toEqual([])
  expect(await countRows(db, 'known_devices')).toBe(0)
})

test('a refused login and half a login tell nothing', async () => {
  const auth = await startAuth(ON)
  const token = await auth.createUserWithToken('ada')
  const { secret } = await activate(auth, token)
  const post = (path: string, body: object) => auth.request.post(path, body, safari)
  await post('login/', { username: 'ada', password: 'wrong' })
  const half = await post('login/', { username: 'ada', password: PASSWORD })
  expect(await auth.mail.of('new-device')).toEqual([])
  const { ephemeral_token } = half.body as { ephemeral_token: string }
  await post('mfa/verify/', { ephemeral_token, code: codeOf(auth, secret) })
  expect(await auth.mail.of('new-device')).toHaveLength(1)
})

test('what a browser calls itself is in no mail: whoever logs in chose it', async () => {
  const { logIn, notices } = await start()
  await logIn('ada', firefox)
  await logIn('ada', browserNamed('Call +1 555 0100 to unlock your account'))
  expect(await notices()).toMatchObject([{ values: { browser: '' } }])
})

test('a flood of devices sends few mails and fills nothing', async () => {
  const { logIn, notices, db } = await start()
  for (let n = 0; n < 120; n++) await logIn('ada', browserNamed(`device ${n}`))
  expect(await notices()).toHaveLength(10)
  expect(await countRows(db, 'known_devices')).toBe(100)
})

test('of parallel logins from one new device one is told', async () => {
  const { logIn, notices } = await start()
  await logIn('ada', firefox)
  await Promise.all(Array.from({ length: 8 }, () => logIn('ada', safari)))
  expect(await notices()).toHaveLength(1)
})

test('neither the database, once the logins are gone, nor the log knows a device', async () => {
  const lines: string[] = []
  const options = { onLogLine: (line: string) => lines.push(line) }
  const auth = await startMode('session', ON, options)
  await auth.logIn('ada', firefox)
  await auth.logIn('ada', safari)
  await auth.administration.revoke(await auth.findUser('ada'))
  auth.clock.advance(MINUTE)
  const stored = (await dump(auth.db)).join('\n')
  const told = [stored, ...lines].join('\n')
  expect(told).not.toMatch(/Firefox|Safari|iPhone/)
  expect(stored).not.toContain('192.0.2.1')
})
