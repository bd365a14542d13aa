import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { PROGRAM } from '../cli/support/program.ts'
import type { AtTheEnd } from '../support/database-folder.ts'
import { newDatabase, PATIENT } from '../support/new-database.ts'
import { onPostgres } from '../support/postgres.ts'

type Line = { msg?: string; pid?: number; worker?: number; workerPid?: number }

/** The built program with two workers. */
async function startTeam(atTheEnd: AtTheEnd) {
  const cwd = mkdtempSync(join(tmpdir(), 'latchkey-workers-'))
  const env = {
    ...PATIENT,
    PATH: process.env.PATH,
    DATABASE_URL: await newDatabase(true, atTheEnd),
    SECRET_KEY: 'a secret that is long enough for a key',
    PORT: '0',
    WORKERS: '2',
    REST_FRAMEWORK_NUM_PROXIES: '1',
    REST_FRAMEWORK_DEFAULT_THROTTLE_RATES: '{"auth_service": "5/h"}',
  }
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { cwd, env })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const errors = text(child.stderr)
  atTheEnd(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(cwd, { recursive: true, force: true })
  })
  const until = <T>(found: () => T): Promise<NonNullable<T>> =>
    vi.waitFor(() => found() ?? expect.fail(output), { timeout: 60_000, interval: 20 })
  const url = await until(() => /serves (http\S+)\n/.exec(output)?.[1])
  const lines = (): Line[] =>
    output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return { child, ended, errors, url, until, lines, output: () => output }
}

/** A connection of its own for each request, so that each worker gets some. */
async function ask(url: string, path: string, body?: object, client = '192.0.2.1') {
  const headers = {
    connection: 'close',
    ...(body && { 'content-type': 'application/json' }),
    // The mailbox is not shown through a proxy.
    ...(!path.includes('mailbox') && { 'x-forwarded-for': client }),
  }
  const reply = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    status: reply.status,
    text: await reply.text(),
    process: reply.headers.get('x-request-id')?.split('-')[0],
  }
}

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

let team: Awaited<ReturnType<typeof startTeam>>
const get = (path: string) => ask(team.url, path)
const post = (path: string, body: object, client?: string) => ask(team.url, path, body, client)

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** One team for all tests, and another one for the second attempt at a test. */
beforeEach(async ({ task }) => {
  if (team && !task.result?.retryCount) return
  team = await startTeam((end) => void ends.push(end))
})

/** Asks until both workers have answered. */
async function pids(): Promise<number[]> {
  return team.until(() => {
    void get('/healthz').catch(() => {})
    const found = new Set(
      team.lines().flatMap(({ msg, pid }) => (msg === 'request' ? (pid ?? []) : [])),
    )
    return [...found].filter(isAlive).length === 2 ? [...found].filter(isAlive) : null
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('several processes start as one', async () => {
  expect(await pids()).toHaveLength(2)
  expect(team.output().match(/^The API serves /gm)).toHaveLength(1)
  expect(await pids()).not.toContain(team.child.pid)
  expect((await get('/readyz')).status).toBe(200)
})

test('a limit is exact', async () => {
  const counters = new Set<string | undefined>()
  // The system decides who accepts a connection, and may give all of them to one worker.
  for (let round = 1; counters.size < 2; round++) {
    const replies = await times(100, () => post('login/', {}, `203.0.113.${round}`))
    const passed = replies.filter(({ status }) => status !== 429)
    expect(passed.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    for (const reply of replies) counters.add(reply.process)
  }
})

test('a mail is sent once, every worker shows it, and its link works once', async () => {
  const password = 'correct horse battery'
  const ada = {
    username: 'ada',
    email: 'ada@example.com',
    password1: password,
    password2: password,
  }
  expect((await post('registration/', ada, '192.0.2.6')).status).toBe(201)
  await post('password/reset/', { email: 'ada@example.com' }, '192.0.2.6')
  const [, uid, token] = await team.until(() =>
    /password\/reset\/([^/\s]+)\/([^/\s]+)$/m.exec(team.output()),
  )
  const shownBy = new Set<string | undefined>()
  while (shownBy.size < 2) {
    for (const page of await times(10, () => get('dev/mailbox/'))) {
      expect(page.text).toContain(String(token))
      shownBy.add(page.process)
    }
  }

  const body = { uid, token, new_password1: `${password}!`, new_password2: `${password}!` }
  const replies = await times(20, (n) => post('password/reset/confirm/', body, `198.51.100.${n}`))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
  expect(team.output().split(`/${token}`)).toHaveLength(2)
})

test('metrics are those of all, and gauges of a process name it', async () => {
  const count = async () => {
    const { text } = await get('/metrics')
    const counted = /_duration_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)/.exec(text)?.[1]
    return { text, counted: Number(counted ?? 0) }
  }
  const before = await count()
  await times(40, () => get('/healthz'))
  const { text, counted } = await count()
  expect(counted).toBe(before.counted + 40)
  for (const worker of [1, 2]) {
    expect(text).toMatch(
      new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} \\d`, 'm'),
    )
  }
  // A mail of an earlier test may still be on its way.
  await vi.waitFor(
    async () => expect((await count()).text).toMatch(/^latchkey_mails_waiting 0$/m),
    60_000,
  )
  expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1)
})

test('a worker that dies is replaced, the service goes on, and no counter goes down', async () => {
  const [first = 0, second = 0] = await pids()
  const logins = async () =>
    Number(
      /^latchkey_logins_total\{outcome="failure"\} (\d+)/m.exec((await get('/metrics')).text)?.[1],
    )
  const wrong = { username: 'ada', password: 'wrong' }
  await times(4, (n) => post('login/', wrong, `198.51.100.${n}`))
  const before = await logins()
  process.kill(first, 'SIGKILL')
  await team.until(() => team.lines().find(({ workerPid }) => workerPid === first))
  expect((await get('/healthz')).status).toBe(200)
  const { workerPid } = await team.until(() =>
    team.lines().find(({ msg }) => msg === 'a worker has started'),
  )
  expect(await logins()).toBeGreaterThanOrEqual(before)
  expect((await pids()).sort()).toEqual([second, workerPid].sort())
})

test('after SIGTERM no connection is reset, and all processes end', async () => {
  const all = await pids()
  // While the workers stand still, the system accepts connections for them.
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  const port = Number(new URL(team.url).port)
  const answers = await times(60, () => sendRequest(port))
  team.child.kill('SIGTERM')
  for (const pid of all) process.kill(pid, 'SIGCONT')
  const outcomes = await Promise.all(answers.map(({ answer }) => answer))
  expect(new Set(outcomes.map((answer) => answer.split('\r\n')[0]))).toEqual(
    new Set(['HTTP/1.1 401 Unauthorized']),
  )
  expect(await team.ended).toBe(0)
  expect(all.filter(isAlive)).toEqual([])
  expect(await team.errors).toBe('')
  // Lines are whole, also those that were written at the same time.
  expect(team.lines().length).toBeGreaterThan(60)
})

async function sendRequest(port: number) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /auth/user/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('connect', resolve))
  return { answer: text(socket).catch((error: NodeJS.ErrnoException) => String(error.code)) }
}

// This one starts a team of its own, and no worker asks the database.
test.skipIf(onPostgres)('if the supervisor is killed, the workers end', async () => {
  team = await startTeam(onTestFinished)
  const all = await pids()
  team.child.kill('SIGKILL')
  await vi.waitFor(() => expect(all.filter(isAlive)).toEqual([]), { timeout: 60_000, interval: 50 })
})
