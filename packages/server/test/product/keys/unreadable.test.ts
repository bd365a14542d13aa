import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSealedBox } from '../../../src/crypto/sealed-box.ts'
import { HOUR, MINUTE } from '../../../src/kernel/clock.ts'
import { newCli } from '../../cli/support/cli.ts'
import { deliver, startListening } from '../../support/events.ts'
import { notValid, ROTATING, startJwt } from '../../support/jwt.ts'
import {
  activate,
  challengeOf,
  codeOf,
  createUserWithMfa,
  offerOf,
  verify,
  WRONG_CODE,
} from '../../support/mfa.ts'
import { PASSWORD, SECRET_KEY, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/** What becomes of a sealed value that no key opens. */
const DAMAGES: Record<string, (box: string) => string> = {
  'the key is gone': () => createSealedBox('a key that nobody has any more', []).seal('x', 'y'),
  'another service has encrypted it': () => 'gAAAAABmXvQ0c2VjcmV0LXRoYXQtd2UtY2Fubm90LXJlYWQ=',
  'the row is damaged': (box) => `${box.slice(0, -6)}AAAAAA`,
  'the row is cut short': (box) => box.slice(0, 12),
}

async function damage(
  { db }: Pick<StartedAuth, 'db'>,
  table: string,
  column: string,
  to: (box: string) => string,
): Promise<void> {
  const { rows } = await sql<{ box: string }>`
    select distinct ${sql.ref(column)} as box from ${sql.table(table)}
    where ${sql.ref(column)} <> ''`.execute(db)
  for (const { box } of rows) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to(box)}
      where ${sql.ref(column)} = ${box}`.execute(db)
  }
}

const unreadableLines = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('cannot be read')).map((line) => JSON.parse(line))

test.each([
  ...Object.entries(DAMAGES),
  ['it came from a service that does not tell it', () => ''] as const,
])('the secret of an app: %s. The factor stays, and no code fits', async (_, to) => {
  const lines: string[] = []
  const auth = await startAuth({}, { onLogLine: (line) => lines.push(line), shared: true })
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  await damage(auth, 'totp_authenticators', 'sealed_secret', to)

  const status = await auth.request.get('mfa/status/', { token })
  expect(status.body).toMatchObject({ mfa_enabled: true, recovery_codes_left: codes.length })
  const code = codeOf(auth, secret)
  expect(await verify(auth, await challengeOf(auth, 'ada'), code)).toMatchReply(400, WRONG_CODE)
  const { id } = await auth.findUser('ada')
  expect(unreadableLines(lines)).toMatchObject([{ level: 50, user: id }])

  const off = await auth.request.post('mfa/totp/deactivate/', { code }, { token })
  expect(off).toMatchReply(400, WRONG_CODE)
  const { activation_token } = await offerOf(auth, { token })
  const again = await auth.request.post('mfa/totp/activate/', { activation_token, code }, { token })
  expect(again.status).toBe(400)

  const passed = await verify(auth, await challengeOf(auth, 'ada'), codes[0])
  expect(passed).toMatchReply(200, { key: token })
  expect(await auth.auth.services.reseal.unreadable({ most: 10 })).toEqual([
    { table: 'totp_authenticators', count: 1, isPartial: false, userIds: [id] },
  ])

  await auth.administration.resetMfa(await auth.findUser('ada'))
  const login = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(login).toMatchReply(200, { key: expect.any(String) })
  expect((await activate(auth, (login.body as { key: string }).key)).codes).toHaveLength(10)
  expect(await auth.auth.services.reseal.unreadable({ most: 10 })).toEqual([])
})

test.each(Object.entries(DAMAGES))('every other sealed value: %s', async (_, to) => {
  const lines: string[] = []
  const options = { onLogLine: (line: string) => lines.push(line), shared: true }
  const auth = await startListening({}, options)
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const { id: user } = await auth.findUser('ada')

  // Codes that cannot be shown are left out of the list, and still work.
  await damage(auth, 'recovery_codes', 'sealed_code', to)
  const list = await auth.request.get('mfa/recovery-codes/', { token })
  expect(list).toMatchReply(200, { codes: [] })
  expect(unreadableLines(lines)).toMatchObject([{ user, lost: codes.length }])
  expect((await verify(auth, await challengeOf(auth, 'ada'), codes[0])).status).toBe(200)

  // An API token that cannot be returned still authenticates. The next login makes another.
  await damage(auth, 'tokens', 'sealed_key', to)
  expect((await auth.request.get('user/', { token })).status).toBe(200)
  const login = await verify(auth, await challengeOf(auth, 'ada'), codeOf(auth, secret))
  const { key } = login.body as { key: string }
  expect(key).not.toBe(token)
  expect((await auth.request.get('user/', { token })).status).toBe(401)
  expect((await auth.request.get('user/', { token: key })).status).toBe(200)
  expect(unreadableLines(lines)).toHaveLength(2)

  // An activation that is under way begins again.
  const bob = await auth.createUserWithToken('bob')
  const offer = await offerOf(auth, { token: bob })
  await damage(auth, 'totp_activations', 'sealed_secret', to)
  const { activation_token } = offer
  const given = { activation_token, code: codeOf(auth, offer.secret) }
  const activation = await auth.request.post('mfa/totp/activate/', given, { token: bob })
  expect(activation.status).toBe(400)
  expect((await auth.request.get('mfa/status/', { token: bob })).body).toMatchObject({
    mfa_enabled: false,
  })

  // Events are given up, mails after a day, since another instance may have their key. The others go on.
  await deliver(auth)
  auth.heard.length = 0
  await damage(auth, 'outbox', 'sealed_letter', to)
  await auth.request.post('logout/', {}, { token: bob })
  await auth.request.post('login/', { username: 'bob', password: PASSWORD })
  await damage(auth, 'events', 'sealed_event', to)
  await auth.request.post('login/', { username: 'bob', password: PASSWORD })
  await auth.request.post('password/reset/', { email: 'bob@example.com' })
  const { delivery, deliveries } = auth.auth.services
  const lost = await delivery.listUndelivered(100)
  for (const [state, hours] of [
    ['queued', 0],
    ['dead', 25],
  ] as const) {
    auth.clock.advance(hours * HOUR)
    await delivery.deliverDue()
    const left = await delivery.listUndelivered(100)
    expect(left.map(({ state, to }) => ({ state, to }))).toEqual(
      lost.filter(({ to }) => to === null).map(() => ({ state, to: null })),
    )
  }
  expect(await auth.told()).toMatchObject([{ type: 'signedIn', user: { username: 'bob' } }])
  expect(await deliveries.listUndelivered(10)).toHaveLength(1)
})

test.each(Object.entries(DAMAGES))('the successor of a refresh token: %s', async (_, to) => {
  const auth = await startJwt({ SIMPLE_JWT: { ...ROTATING, REFRESH_REUSE_GRACE: 10 } })
  const { refresh } = await auth.logIn('ada')
  const refreshing = () => auth.request.post('token/refresh/', { refresh })
  expect((await refreshing()).status).toBe(200)
  await damage(auth, 'spent_refresh_tokens', 'sealed_successor', to)
  expect(await refreshing()).toMatchReply(...notValid('Token is blacklisted'))
})

test('check names what cannot be opened, and whose it is', async () => {
  const auth = await startAuth({}, { shared: true })
  await createUserWithMfa(auth, 'ada')
  const { run } = await newCli()
  const env = { DATABASE_URL: auth.settings.DATABASE_URL, SECRET_KEY }
  const found = async () => {
    const { stdout } = await run(['check'], { env })
    return stdout.split('\n').filter((line) => line.includes('sealed data'))
  }
  expect(await found()).toEqual([])
  const { id } = await auth.findUser('ada')
  await damage(auth, 'totp_authenticators', 'sealed_secret', () => '')
  await damage(auth, 'tokens', 'sealed_key', (box) => `${box.slice(0, -6)}AAAAAA`)
  expect(await found()).toEqual([
    expect.stringMatching(
      `^fix   sealed data: 1 value in tokens cannot be opened \\(user ${id}\\)\\. Add the key .*`,
    ),
    expect.stringMatching(
      `^fix   sealed data: 1 value in totp_authenticators .* \\(user ${id}\\)\\. .*reset-mfa`,
    ),
  ])
})

test('the running service opens only some values of a large table, and a check opens all', async () => {
  const auth = await startAuth({}, { shared: true })
  await sql`
    insert into outbox (id, sealed_letter, state, attempts, due_at, created_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5201)
    select cast(n as text), 'x', 'dead', 1, 0, 0 from numbers`.execute(auth.db)
  const says = async () => {
    const found = await auth.auth.services.findings.toFix()
    return found.filter(({ about }) => about === 'sealed data').map(({ says }) => says)
  }
  expect(await says()).toEqual(['at least 5000 values in outbox cannot be opened'])
  const { run } = await newCli()
  const env = { DATABASE_URL: auth.settings.DATABASE_URL, SECRET_KEY }
  const { stdout } = await run(['check'], { env })
  expect(stdout).toContain('sealed data: 5201 values in outbox cannot be opened.')

  await sql`delete from outbox where id > '3'`.execute(auth.db)
  auth.clock.advance(MINUTE)
  expect(await says()).toEqual([expect.stringMatching(/^2\d+ values in outbox cannot be opened$/)])
})
