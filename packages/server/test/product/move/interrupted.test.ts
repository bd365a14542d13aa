import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HOUR } from '../../../src/kernel/clock.ts'
import { type Db, handleOf } from '../../../src/storage/handle.ts'
import { findMove, keepMover, removeInstance } from '../../../src/storage/instances.ts'
import { newCli } from '../../cli/support/cli.ts'
import { newFolder } from '../../cli/support/program.ts'
import { KEY } from '../../support/answers.ts'
import { endLeases, inDatabase, newSqlite, newTarget, serveOn } from '../../support/moves.ts'
import { PASSWORD } from '../../support/start-auth.ts'

/** Enough to stop a mover in the middle. They never expire, since the service could sweep them meanwhile. */
const addManyRows = (url: string) =>
  inDatabase(url, ({ db }) =>
    sql`insert into spent_proofs (digest, expires_at)
      select n || '', 8640000000000000 from (
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 60000)
        select n from numbers) as numbered`.execute(db),
  )

const POLL = { interval: 10, timeout: 20_000 }
const HALF_MOVED = /^The database is only half moved: [^\n]*\n$/
const FROZEN = /cannot be used: it is read-only while "latchkey move" copies it; [^\n]*\n$/

test('a mover that stands still holds writes back, not reads; killed, it can be run again', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const { run } = await newCli()
  const rates = { DEFAULT_THROTTLE_RATES: { auth_service: '1000/m' } }
  const source = await serveOn(from, { REST_FRAMEWORK: rates, REST_AUTH: { SESSION_LOGIN: true } })
  const { request } = source
  const token = await source.createUserWithToken('ada')
  const browser = await source.logInBrowser('ada')
  await addManyRows(from)
  const on = (url: string) => [
    '--set',
    `DATABASE_URL=${url}`,
    '--set',
    `SECRET_KEY=${'k'.repeat(32)}`,
  ]

  const folder = await newFolder()
  const { child, ended } = folder.start(['move', '--read-only', from, to])
  let printed = ''
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    printed += chunk
    if (printed.includes('Moved: ')) break
  }
  child.kill('SIGSTOP')
  expect(printed).toMatch(
    /^Waiting until the running service refuses writes\.\nMoved: \d+ of 6\d+\n/,
  )

  // Later, so that each read is a use to be noted.
  source.clock.advance(120_000)
  const reads = ['user/', 'sessions/', 'csrf/', 'openapi.json', '/readyz']
  for (const path of reads) {
    expect(`${path} ${(await request.get(path, { token })).status}`).toBe(`${path} 200`)
  }
  expect((await browser.get('user/')).status).toBe(200)
  const login = { username: 'ada', password: PASSWORD }
  const writes = await Promise.all([
    ...Array.from({ length: 30 }, () => request.post('login/', login)),
    request.post('login/', { ...login, password: 'wrong' }),
    request.patch('user/', { first_name: 'Ada' }, { token }),
    request.post('logout/', {}, { token }),
    request.post('password/reset/', { email: 'ada@example.com' }),
  ])
  expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 503))
  expect((await request.get('user/', { token })).status).toBe(200)
  expect(await run(['user', 'list', ...on(from)])).toMatchObject({ code: 0 })
  for (const args of [['serve'], ['user', 'deactivate', 'ada']]) {
    const { code, stderr } = await run([...args, ...on(from)])
    expect(code).toBe(1)
    expect(stderr).toMatch(FROZEN)
  }

  child.kill('SIGKILL')
  await ended
  await endLeases(from, 'mover')
  await vi.waitFor(async () => {
    expect(await request.post('login/', login)).toMatchReply(200, KEY)
  }, 20_000)
  await source.stop()

  for (const args of [['serve'], ['migrate'], ['user', 'list']]) {
    const { code, stdout, stderr } = await run([...args, ...on(to)])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(HALF_MOVED)
  }
  const checked = await run(['check', ...on(to)])
  expect(checked.code).toBe(1)
  expect(checked.stdout).toMatch(/^fix {3}database: .*half moved/m)
  expect(await run(['move', '--check', from, to])).toMatchObject({
    code: 1,
    stderr: 'The target is only half moved. Run the move again.\n',
  })
  // What the source no longer has must not stay in the target, either.
  await inDatabase(from, ({ db }) => db.deleteFrom('spent_proofs').execute())
  expect(await run(['move', from, to])).toMatchObject({ code: 0 })
  expect(await run(['move', '--check', from, to])).toMatchObject({ code: 0 })
  const there = await serveOn(to)
  expect((await there.request.get('user/', { token })).status).toBe(200)
})

test('a running service is copied with --read-only, and writes again when it is done', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const source = await serveOn(from)
  const token = await source.createUserWithToken('ada')
  const folder = await newFolder()
  const { child, ended } = folder.start(['move', '--read-only', '--json', from, to])
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  expect(await ended).toBe(0)
  expect(JSON.parse(output)).toMatchObject({ same: true })
  await vi.waitFor(async () => {
    const reply = await source.request.patch('user/', { first_name: 'Ada' }, { token })
    expect(reply.status).toBe(200)
  }, 20_000)
  const there = await serveOn(to)
  expect((await there.request.get('user/', { token })).body).toMatchObject({ first_name: '' })
})

test('a signal stops a move cleanly', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const { run } = await newCli()
  await (await serveOn(from)).stop()
  await addManyRows(from)
  expect(await run(['move', from, to], { signalAt: 'Moved: ' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\nStopped\. Nothing was moved; run the same command again\.\n$/),
  })
  expect(
    await inDatabase(from, ({ db }) => db.selectFrom('latchkey_instances').selectAll().execute()),
  ).toEqual([])
  await expect(
    inDatabase(to, ({ db }) => db.selectFrom('spent_proofs').select('digest').execute()),
  ).resolves.toEqual([])
})

test('the row of a killed mover goes: with it, a lock of any process would look like a copy', async () => {
  const url = await newTarget()
  // Services look for dead processes only every ten seconds.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db } = await serveOn(url)
  const killed = { role: 'mover', frozen: 0 } as const
  const movers = [
    { ...killed, id: 'killed', lease_until: 0 },
    { ...killed, id: 'killed before the clock was set back', lease_until: Date.now() + HOUR },
  ]
  await db.insertInto('latchkey_instances').values(movers).execute()
  await vi.waitUntil(async () => {
    await vi.advanceTimersByTimeAsync(1000)
    const rows = await db.selectFrom('latchkey_instances').select('role').execute()
    return rows.every(({ role }) => role === 'service') && rows.length === 1
  }, POLL)
})

test('a lease from before the clock was set back neither stops a move nor hides one', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const { run } = await newCli()
  await (await serveOn(from)).stop()
  const killed = { frozen: 0, lease_until: Date.now() + HOUR } as const
  await inDatabase(from, async (connection) => {
    const rows = (['service', 'mover'] as const).map((role) => ({ ...killed, id: role, role }))
    await connection.db.insertInto('latchkey_instances').values(rows).execute()
    expect(await findMove(connection)).toBe('none')
    await keepMover(handleOf<Db>(connection.db), 'running')
    expect(await findMove(connection)).toBe('begun')
    await removeInstance(handleOf<Db>(connection.db), 'running')
  })
  expect(await run(['move', from, to])).toMatchObject({ code: 0 })
  const { request } = await serveOn(from)
  expect((await request.post('login/', { username: 'ada', password: 'wrong' })).status).toBe(400)
})
