import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { newCli } from '../../../server/test/cli/support/cli.ts'
import { startProgram } from '../../../server/test/cli/support/program.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { newProject } from '../support/django.ts'
import { CROWD_KEY, crowdSql, sessionOf, tokenOf } from '../support/django-crowd.ts'

/** Two batches. */
const USERS = 600
const TABLES = ['users', 'tokens', 'logins', 'django_users', 'django_sessions'] as const
const EVERYTHING = { added: USERS, token: USERS, sessions: USERS, blacklisted: USERS }

type Outcome = { code: number | null | undefined; stdout: string; stderr: string }

/** A service, and the command that imports into its database. */
async function startWithCrowd() {
  const source = await newProject(crowdSql(USERS))
  const started = await startAuth({}, { shared: true })
  const { DATABASE_URL, SECRET_KEY } = started.settings
  const env = { DATABASE_URL, SECRET_KEY: String(SECRET_KEY), LOG_LEVEL: 'silent' }
  const facts = JSON.stringify({ SECRET_KEY: CROWD_KEY })
  const args = ['import', 'django', source.url, '--settings', facts, '--json']
  const { run } = await newCli()

  /** Imports in this process. Stops as soon as the line is printed. */
  const importing = (signalAt?: string): Promise<Outcome> =>
    run(args, { env, ...(signalAt && { signalAt }) })

  /** Sends the signal to a process as soon as it has printed the line. */
  async function importingApart(line: string, signal: NodeJS.Signals): Promise<Outcome> {
    const { child, ended } = startProgram(process.cwd(), args, env)
    const stdout = text(child.stdout)
    let stderr = ''
    for await (const chunk of child.stderr) {
      const isThere = stderr.includes(line)
      stderr += chunk
      if (stderr.includes(line) && !isThere) child.kill(signal)
    }
    return { code: await ended, stdout: await stdout, stderr }
  }
  return { ...started, importing, importingApart }
}

function expectStopped({ code, stdout, stderr }: Outcome) {
  expect(code).toBe(1)
  expect(stderr).toContain('Run the same command again to continue.')
  expect(JSON.parse(stdout)).toMatchObject({ done: false, lost: 0 })
}

/** The next run goes on, and nothing is lost. */
async function expectGoesOn({
  importing,
  db,
  request,
}: Awaited<ReturnType<typeof startWithCrowd>>) {
  const { code, stdout, stderr } = await importing()
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ resumed: true, done: true, counts: EVERYTHING, findings: [] })
  // It has gone over everything once more, and nothing had changed.
  for (const what of ['Users', 'Sessions', 'Blacklisted tokens'])
    expect(stderr).toContain(`${what} once more: ${USERS} of ${USERS}`)
  expect(report.counts).not.toHaveProperty('unchanged')
  expect(report.counts).not.toHaveProperty('updated')
  for (const table of TABLES) expect(await countRows(db, table)).toBe(USERS)
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(USERS)

  for (const n of [1, 500, 501, USERS]) {
    const cookies = { sessionid: sessionOf(n) }
    for (const credential of [{ token: tokenOf(n) }, { cookies }]) {
      expect((await request.get('user/', credential)).body).toMatchObject({ pk: n })
    }
  }
}

test('an import that is stopped, again and again, goes on and loses nothing', async () => {
  const started = await startWithCrowd()
  for (const what of ['Users', 'Sessions', 'Blacklisted tokens']) {
    expectStopped(await started.importing(`${what}: 500 of`))
  }
  await expectGoesOn(started)
})

// It starts the program three times.
test('so does one that is killed, or whose terminal is closed', { timeout: 120_000 }, async () => {
  const started = await startWithCrowd()
  for (const what of ['Users', 'Sessions']) {
    const killed = await started.importingApart(`${what}: 500 of`, 'SIGKILL')
    expect(killed, what).toMatchObject({ code: null, stdout: '' })
  }
  expectStopped(await started.importingApart('Blacklisted tokens: 500 of', 'SIGHUP'))
  await expectGoesOn(started)
})
