// Times `latchkey import django` with many users: the first run, and a second one in which one user in a
// hundred has changed. Run after a build: `node bench/import.js [users] [--postgres]`.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../scripts/in-folder.js'
import { startPostgres } from '../scripts/torture/parts/postgres.js'
import { sessionsOf, tablesOf } from './import/django-tables.js'
import { createSignSession } from './import/sign-session.js'

const users = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 100_000)
const onPostgres = process.argv.includes('--postgres')
const latchkey = fileURLToPath(new URL('../packages/server/bin/latchkey.js', import.meta.url))
const SECRET = 'the secret key of a project that was made for this measurement'

const env = { ...process.env, SECRET_KEY: SECRET }

await inFolder(async (folder, atTheEnd) => {
  const { source, target, query } = onPostgres
    ? await inPostgres(folder, atTheEnd)
    : inSqlite(folder, atTheEnd)
  await fill(query)
  say(
    `${users} users, ${onPostgres ? 'PostgreSQL' : 'SQLite'}, ${cpus()[0]?.model}, ${process.version}`,
  )
  execFileSync(process.execPath, [latchkey, 'migrate', '--set', `DATABASE_URL=${target}`], {
    env,
    cwd: folder,
  })
  say(`first import   ${await timed(source, target, folder)}`)
  await query(`update auth_user set first_name = 'Changed' where id % 100 = 0`)
  say(`second import  ${await timed(source, target, folder)}`)
})

/** Runs the command, and returns its time, the most memory it had, and what it brought over. */
async function timed(source, target, folder) {
  const settings = JSON.stringify({ SECRET_KEY: SECRET })
  const args = ['import', 'django', source, '--settings', settings, '--json', '--set']
  const begun = performance.now()
  const child = spawn(process.execPath, [latchkey, ...args, `DATABASE_URL=${target}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let most = 0
  const watch = setInterval(async () => {
    most = Math.max(most, await peakOf(child.pid).catch(() => 0))
  }, 100)
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  clearInterval(watch)
  const seconds = (performance.now() - begun) / 1000
  const { done, counts } = JSON.parse(output)
  const rate = Math.round(users / seconds)
  if (!done) process.exitCode = 1
  return `${seconds.toFixed(1)} s, ${rate} users/s, at most ${most} MiB; ${JSON.stringify(counts)}`
}

/** The most memory that a process has had, in MiB. */
async function peakOf(pid) {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    // A process that has just ended has no such line any more.
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024)
}

async function fill(query) {
  for (const statement of tablesOf(onPostgres ? 'postgres' : 'sqlite', users))
    await query(statement)
  const { hash, ids } = sessionsOf(users)
  const sign = createSignSession(SECRET, hash)
  for (let from = 0; from < ids.length; from += 1000) {
    const rows = ids
      .slice(from, from + 1000)
      .map((id) => `('${randomBytes(16).toString('hex')}', '${sign(id)}', '2099-01-01 00:00:00')`)
    await query(`insert into django_session values ${rows.join(', ')}`)
  }
}

function inSqlite(folder, atTheEnd) {
  const Database = createRequire(import.meta.url)('libsql')
  const file = join(folder, 'django.sqlite3')
  const db = new Database(file)
  atTheEnd(() => db.close())
  db.exec('pragma journal_mode = wal; pragma synchronous = off')
  const target = `sqlite:${join(folder, 'latchkey.db')}`
  return { source: `sqlite:${file}`, target, query: async (text) => void db.exec(text) }
}

async function inPostgres(folder, atTheEnd) {
  const postgres = await startPostgres(folder)
  atTheEnd(postgres.stop)
  const url = postgres.urlAt(postgres.port)
  await postgres.query('create database target')
  return { source: url, target: url.replace(/[^/]+$/, 'target'), query: postgres.query }
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
