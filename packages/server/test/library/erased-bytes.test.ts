import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { connectSqlite } from '../../src/storage/connect-sqlite.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'
import { PASSWORD, QUIET } from '../support/embed.ts'

const DEADLINES = { readMs: 30_000, writeMs: 30_000 }
const ADDRESS = '203.0.113.77'
const ADA = { username: 'lovelace-1815', email: 'countess-1815@example.com' }

/** In another process: to close the file in this one would drop the locks of the service. */
function bytesOf(file: string): string {
  const program = `const { existsSync, readFileSync } = require('node:fs')
    for (const name of process.argv.slice(1))
      if (existsSync(name)) process.stdout.write(readFileSync(name).toString('latin1'), 'latin1')`
  const args = ['-e', program, file, `${file}-wal`]
  return execFileSync(process.execPath, args, { encoding: 'latin1', maxBuffer: 2 ** 28 })
}

/** Enough neighbours that rows are moved between pages. */
async function addNeighbours(file: string, from: number): Promise<void> {
  const { db, close } = connectSqlite(file, DEADLINES)
  const rows = Array.from({ length: 200 }, (_, i) => {
    const name = `neighbour-${((from + i) * 7919) % 1000}-${from + i}`
    return {
      username: name,
      username_key: name,
      username_skeleton: null,
      email: `${name}@example.com`,
      email_key: `${name}@example.com`,
      email_verified: 1 as const,
      first_name: '',
      last_name: '',
      password: 'x'.repeat(97),
      is_active: 1 as const,
      joined_at: 0,
      last_login_at: null,
    }
  })
  await db.insertInto('users').values(rows).execute()
  await close()
}

test('nothing of a deleted account stays in the file or the journal', async () => {
  const folder = await newDatabaseFolder('erased')
  const file = join(folder, 'app.db')
  const settings = {
    DATABASE_URL: `sqlite:${file}`,
    EMAIL_URL: `file://${folder}/mails`,
    ACCOUNT: { DELETION: true },
  }
  const lines: unknown[] = []
  const note = (...words: unknown[]) => lines.push(words)
  const auth = await createAuth(settings, { log: { ...QUIET, info: note, warn: note } })
  onTestFinished(() => auth.close())
  const post = async (path: string, body: object, headers = {}) => {
    const request = new Request(`http://localhost/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer = await auth.fetch(request, { address: ADDRESS })
    return { status: answer.status, body: (await answer.json()) as { key: string } }
  }

  await addNeighbours(file, 0)
  await post('registration/', { ...ADA, password1: PASSWORD, password2: PASSWORD })
  await addNeighbours(file, 200)
  const login = await post('login/', { username: ADA.username, password: PASSWORD })
  const { db, close } = connectSqlite(file, DEADLINES)
  const { password: hash } = await db
    .selectFrom('users')
    .select('password')
    .where('username', '=', ADA.username)
    .executeTakeFirstOrThrow()
  await close()
  const traces = [ADA.username, ADA.email, ADDRESS, hash]
  const before = bytesOf(file)
  for (const trace of traces) expect(before.includes(trace), trace).toBe(true)

  const token = { authorization: `Token ${login.body.key}` }
  expect((await post('account/delete/', { password: PASSWORD }, token)).status).toBe(200)
  const after = bytesOf(file)
  for (const trace of traces) expect(after.includes(trace), trace).toBe(false)
  expect(after).toContain('neighbour-')
  for (const trace of traces) expect(JSON.stringify(lines)).not.toContain(trace)
})
