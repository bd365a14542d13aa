import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startProgram } from '../../../server/test/cli/support/program.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoFile, djangoServer } from '../support/django.ts'
import { CROWD_KEY, crowdSql, sessionOf, tokenOf } from '../support/django-crowd.ts'

const USERS = 1100
const TABLES = ['users', 'tokens', 'logins', 'django_users', 'django_sessions'] as const
const EVERYTHING = { added: USERS, token: USERS, sessions: USERS, blacklisted: USERS }

/** A service, and the command that imports into its database. */
async function startWithCrowd() {
  const source = onPostgres
    ? await djangoServer(crowdSql(USERS))
    : await djangoFile(crowdSql(USERS))
  const started = await startAuth({}, { shared: true })
  const { DATABASE_URL, SECRET_KEY } = started.settings
  const env = { DATABASE_URL, SECRET_KEY: String(SECRET_KEY), LOG_LEVEL: 'silent' }
  const facts = JSON.stringify({ SECRET_KEY: CROWD_KEY })
  const args = ['import', 'django', source.url, '--settings', facts, '--json']

  /** Sends the signal as soon as the line is printed. */
  async function importing(line?: string, signal?: NodeJS.Signals) {
    const { child, ended } = startProgram(process.cwd(), args, env)
    const stdout = text(child.stdout)
    let stderr = ''
    for await (const chunk of child.stderr) {
      const isThere = line !== undefined && stderr.includes(line)
      stderr += chunk
      if (line !== undefined && stderr.includes(line) && !isThere) child.kill(signal)
    }
    return { code: await ended, stdout: await stdout, stderr }
  }
  return { ...started, importing }
}

/** A signal at each of these lines ends the import. The next run goes on from there. */
const POLITELY = [
  ['Users: 500 of', 'SIGTERM'],
  ['Sessions: 500 of', 'SIGINT'],
  ['Blacklisted tokens: 500 of', 'SIGHUP'],
] as const
const AT_ONCE = [
  ['Users: 1000 of', 'SIGKILL'],
  ['Sessions: 1000 of', 'SIGKILL'],
] as const

test.each([
  ['politely', POLITELY],
  ['at once', AT_ONCE],
] as const)(
  'an import that is ended %s, again and again, goes on and loses nothing',
  async (_, ends) => {
    const { importing, request, db } = await startWithCrowd()
    for (const [line, signal] of ends) {
      const broken = await importing(line, signal)
      if (signal === 'SIGKILL') expect(broken, line).toMatchObject({ code: null, stdout: '' })
      else {
        expect(broken.code, line).toBe(1)
        expect(broken.stderr).toContain('Run the same command again to continue.')
        expect(JSON.parse(broken.stdout)).toMatchObject({ done: false, lost: 0 })
      }
    }

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

    for (const n of [1, 500, 501, 1001]) {
      const cookies = { sessionid: sessionOf(n) }
      for (const credential of [{ token: tokenOf(n) }, { cookies }]) {
        expect((await request.get('user/', credential)).body).toMatchObject({ pk: n })
      }
    }
  },
  // It starts the program four times.
  120_000,
)
