import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { newCli } from '../../cli/support/cli.ts'
import { countRows } from '../../support/dump.ts'
import { challengeOf, codeOf, createUserWithMfa, verify } from '../../support/mfa.ts'
import { PASSWORD, SECRET_KEY, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const NEW_KEY = 'another secret key for tests, long enough'
/** A port that needs a special permission, so nobody listens there. */
const NOBODY_LISTENS = 'smtp://127.0.0.1:1'
const DOCUMENT = new URL('../../../../../docs/key-rotation.md', import.meta.url)

/** The commands of a chapter of the document, in its order. */
function commandsOf(title: string): string[][] {
  const chapters = readFileSync(DOCUMENT, 'utf8').split('\n## ')
  const chapter = chapters.find((text) => text.startsWith(title)) ?? ''
  const lines = chapter.matchAll(/^\s*npx latchkey (.+)$/gm)
  return [...lines].map(([, words = '']) => words.split(' '))
}

/** Ada has every kind of sealed data. The service runs with a new key, and the old one as fallback. */
async function rotate() {
  const before = await startAuth({}, { shared: true })
  const ada = await createUserWithMfa(before, 'ada')
  await before.request.post('password/reset/', { email: 'ada@example.com' })
  const during = await startAuth(
    { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] },
    { beside: before },
  )
  const dropOldKey = () => startAuth({ SECRET_KEY: NEW_KEY }, { beside: before })
  const cli = await newCli()
  const env = {
    DATABASE_URL: before.settings.DATABASE_URL,
    SECRET_KEY: NEW_KEY,
    SECRET_KEY_FALLBACKS: JSON.stringify([SECRET_KEY]),
  }
  const run = (args: readonly string[], outside = {}) => cli.run(args, { env, ...outside })
  return { before, during, dropOldKey, ada, run }
}

async function passMfa(auth: StartedAuth, code: string) {
  const reply = await verify(auth, await challengeOf(auth, 'ada'), code)
  return (reply.body as { key?: string }).key
}

const isGood = async ({ request }: StartedAuth, token: string) =>
  (await request.get('user/', { token })).status === 200

test('the routine, as the document has it: nobody notices, and the old key can go', async () => {
  const { during, dropOldKey, ada, run } = await rotate()
  expect(commandsOf('Regular replacement')).toEqual([['keys', 'reseal']])
  for (const command of commandsOf('Regular replacement')) {
    const { code, stdout } = await run(command)
    expect({ code, stdout }).toEqual({
      code: 0,
      // A token, a secret, ten codes, and the mails about them.
      stdout: expect.stringMatching(
        /^1\d values are sealed with SECRET_KEY now\.\nSECRET_KEY_FALLBACKS is no longer needed; .*\n$/,
      ),
    })
  }
  expect(await during.auth.services.reseal.countOutdated()).toBe(0)

  const after = await dropOldKey()
  expect(await isGood(after, ada.token)).toBe(true)
  expect(await passMfa(after, codeOf(after, ada.secret))).toBe(ada.token)
  expect(await passMfa(after, ada.codes[3] ?? '')).toBe(ada.token)
  const listed = await after.request.get('mfa/recovery-codes/', { token: ada.token })
  expect(listed.body).toEqual({ codes: ada.codes.filter((_, n) => n !== 3) })
  const mails = await after.auth.services.delivery.listUndelivered(10)
  expect(mails.map(({ to }) => to)).not.toContain(null)
})

test('with several instances, the order of the document: each opens what the other has sealed', async () => {
  const before = await startAuth({ SECRET_KEY_FALLBACKS: [NEW_KEY] }, { shared: true })
  const ada = await createUserWithMfa(before, 'ada')
  const bob = await before.createUserWithToken('bob')
  const after = await startAuth(
    { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] },
    { beside: before },
  )
  const asBob = { username: 'bob', password: PASSWORD }
  for (const { request, clock } of [after, before, after]) {
    expect(await request.post('login/', asBob)).toMatchReply(200, { key: bob })
    clock.advance(60_000)
  }
  for (const auth of [after, before]) {
    expect(await passMfa(auth, codeOf(auth, ada.secret))).toBe(ada.token)
    auth.clock.advance(60_000)
  }
  for (const [writer, sender] of [
    [after, before],
    [before, after],
  ] as const) {
    await writer.db.deleteFrom('outbox').execute()
    await writer.request.post('password/reset/', { email: 'bob@example.com' })
    const [mail] = await sender.auth.services.delivery.listUndelivered(10)
    expect(mail?.to).toBe('bob@example.com')
  }
})

test('check --deploy asks to reseal, and then to remove the old key', async () => {
  const { run } = await rotate()
  const says = async (...args: string[]) => {
    const { stdout } = await run(['check', ...args])
    return stdout.split('\n').filter((line) => line.startsWith('fix   SECRET_KEY_FALLBACKS'))
  }
  expect(await says()).toEqual([])
  expect(await says('--deploy')).toEqual([
    expect.stringMatching(/^fix {3}.*: 1\d values are still sealed .*"latchkey keys reseal"/),
  ])
  await run(['keys', 'reseal'])
  expect(await says('--deploy')).toEqual([
    'fix   SECRET_KEY_FALLBACKS: no former key is in use. Remove the former keys.',
  ])
})

test('a leaked key, as the document has it: everybody is logged out', async () => {
  const { during, dropOldKey, ada, run } = await rotate()
  const browser = during.newBrowser()
  const ephemeral_token = await challengeOf(during, 'ada')
  await browser.post('mfa/verify/', { ephemeral_token, code: ada.codes[0] ?? '' })
  expect((await browser.get('user/')).status).toBe(200)

  const commands = commandsOf('When the key has leaked')
  expect(commands).toEqual([
    ['keys', 'reseal'],
    ['user', 'revoke', '--all', '--yes'],
  ])
  for (const command of commands) expect((await run(command)).code).toBe(0)

  const after = await dropOldKey()
  expect(await isGood(during, ada.token)).toBe(false)
  expect(await isGood(after, ada.token)).toBe(false)
  expect((await browser.get('user/')).status).toBe(401)
  expect(await countRows(after.db, 'logins')).toBe(0)
  after.clock.advance(60_000)
  expect(await passMfa(after, codeOf(after, ada.secret))).toMatch(/^[0-9a-f]{40}$/)
})

test('without resealing, data of the removed key is refused', async () => {
  const { dropOldKey, ada } = await rotate()
  const after = await dropOldKey()
  expect(await passMfa(after, codeOf(after, ada.secret))).toBeUndefined()
  expect(await passMfa(after, ada.codes[0] ?? '')).toBeUndefined()
})

test('data is resealed when it is used', async () => {
  const { during, dropOldKey, ada } = await rotate()
  expect(await passMfa(during, codeOf(during, ada.secret))).toBe(ada.token)
  const after = await dropOldKey()
  after.clock.advance(60_000)
  expect(await passMfa(after, codeOf(after, ada.secret))).toBe(ada.token)
})

test('codes are resealed when they are listed, and work without the old key', async () => {
  const { during, dropOldKey, ada } = await rotate()
  const before = await during.auth.services.reseal.countOutdated()
  const list = ({ request }: StartedAuth) =>
    request.get('mfa/recovery-codes/', { token: ada.token })
  const listings = await Promise.all([list(during), list(during)])
  for (const { body } of listings) expect(body).toEqual({ codes: ada.codes })
  expect(await during.auth.services.reseal.countOutdated()).toBe(before - ada.codes.length)

  const after = await dropOldKey()
  expect((await list(after)).body).toEqual({ codes: ada.codes })
  const [code = '', ...rest] = ada.codes
  expect(await passMfa(after, code)).toMatch(/^[0-9a-f]{40}$/)
  const left = await after.db.selectFrom('recovery_codes').select('digest').execute()
  expect(left).toHaveLength(rest.length)
})

test('mails are resealed when they are tried again', async () => {
  const before = await startAuth({ EMAIL_URL: NOBODY_LISTENS }, { shared: true })
  await before.createUser({ username: 'ada', email: 'ada@example.com' })
  await before.request.post('password/reset/', { email: 'ada@example.com' })
  const keys = { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] }
  const during = await startAuth({ EMAIL_URL: NOBODY_LISTENS, ...keys }, { beside: before })
  const { reseal, delivery } = during.auth.services
  expect(await reseal.countOutdated()).toBe(1)
  await delivery.deliverDue()
  expect(await reseal.countOutdated()).toBe(0)

  const after = await startAuth({ SECRET_KEY: NEW_KEY }, { beside: before })
  const undelivered = await after.auth.services.delivery.listUndelivered(10)
  expect(undelivered).toMatchObject([{ to: 'ada@example.com', attempts: 1, state: 'queued' }])
})

test('a mail that another instance sealed with a newer key waits for this one to learn the key', async () => {
  const before = await startAuth({}, { shared: true })
  await before.createUser({ username: 'ada', email: 'ada@example.com' })
  const keys = { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] }
  const ahead = await startAuth(keys, { beside: before })
  await ahead.request.post('password/reset/', { email: 'ada@example.com' })
  const waiting = () => ahead.auth.services.delivery.listUndelivered(10)
  await before.auth.services.delivery.deliverDue()
  expect(await waiting()).toMatchObject([{ state: 'queued', attempts: 1 }])
  before.clock.advance(DAY)
  await before.auth.services.delivery.deliverDue()
  expect(await waiting()).toMatchObject([{ state: 'dead', attempts: 2 }])
})

test('a page that was open before the rotation still works, and gets a new CSRF token', async () => {
  const before = await startAuth({}, { shared: true })
  await before.createUser({ username: 'ada' })
  const browser = await before.logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid'), csrftoken: browser.cookie('csrftoken') }
  const change = ({ request }: StartedAuth) =>
    request.patch('user/', { first_name: 'A' }, { cookies, ...browser.csrf() })
  const keys = { SECRET_KEY: NEW_KEY, SECRET_KEY_FALLBACKS: [SECRET_KEY] }
  const during = await startAuth(keys, { beside: before })
  expect((await change(during)).status).toBe(200)
  const fresh = await during.request.get('csrf/', { cookies })
  expect((fresh.body as { csrf_token: string }).csrf_token).not.toBe(cookies.csrftoken)
  const after = await startAuth({ SECRET_KEY: NEW_KEY }, { beside: before })
  expect((await change(after)).status).toBe(403)
})

test('values that no key opens are counted, and the others are resealed', async () => {
  const { before, during, run } = await rotate()
  const { id: user_id } = await before.createUser({ username: 'bob' })
  const times = { created_at: 0, last_used_at: 0, authenticated_at: 0 }
  const lost = { user_id, digest: 'd', sealed_key: 'lost.box', ...times }
  await before.db.insertInto('tokens').values(lost).execute()
  const { code, stdout, stderr } = await run(['keys', 'reseal', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ unreadable: { tokens: 1 }, left: 1, done: true })
  expect(stderr).toContain('whether SECRET_KEY_FALLBACKS lists all former keys')
  expect(await during.auth.services.reseal.countOutdated()).toBe(1)
})

test('after a signal the same command continues', async () => {
  const { during, run } = await rotate()
  const { reseal } = during.auth.services
  const all = await reseal.countOutdated()
  const stopped = await run(['keys', 'reseal', '--json'], { signalAt: 'Sealed again' })
  const { resealed, left, done } = JSON.parse(stopped.stdout)
  expect({ done, left }).toEqual({ done: false, left: all - resealed })
  expect(resealed).toBeGreaterThan(0)
  expect(left).toBeGreaterThan(0)
  expect(stopped).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `Stopped with ${left} left. Run the same command again to continue.\n`,
    ),
  })
  expect(await reseal.countOutdated()).toBe(left)

  const rest = await run(['keys', 'reseal', '--json'])
  expect(JSON.parse(rest.stdout)).toEqual({ resealed: left, unreadable: {}, left: 0, done: true })
  expect(rest.code).toBe(0)
})

test('everybody is logged out only when that is meant', async () => {
  const { during, ada, run } = await rotate()
  const { code, stderr } = await run(['user', 'revoke', '--all'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      'This needs a confirmation, but there is no terminal to ask on. Use --yes to log out without asking.',
    ),
  })
  expect((await run(['user', 'revoke', 'ada', '--all', '--yes'])).code).toBe(2)
  expect(await isGood(during, ada.token)).toBe(true)
  const done = await run(['user', 'revoke', '--all', '--yes', '--json'])
  expect(JSON.parse(done.stdout)).toEqual({ revoked: 1 })
  expect(await isGood(during, ada.token)).toBe(false)
  const login = { username: 'ada', password: PASSWORD }
  expect((await during.request.post('login/', login)).status).toBe(200)
})
