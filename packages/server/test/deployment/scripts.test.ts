import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const LOAD_ONLY = join(import.meta.dirname, 'support/load-only.js')
const run = promisify(execFile)

const scripts = ['bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(ROOT, folder, name)),
)

test('every script finds everything that it imports', async () => {
  expect(scripts.length).toBeGreaterThan(20)
  const { stdout } = await run(process.execPath, [LOAD_ONLY, ...scripts])
  expect(stdout).toBe('')
})

test('one that imports what is gone is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-scripts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'broken.mjs')
  writeFileSync(file, `import { nothing } from 'node:path'\nprocess.stdout.write('it ran')`)
  const { stdout } = await run(process.execPath, [LOAD_ONLY, file])
  expect(stdout).toMatch(/^\S+broken\.mjs: .*nothing/)
  expect(stdout).not.toContain('it ran')
})

/** Those that load parts of the service in other ways, or start it, with as little as possible. */
test.each([
  ['bench/sweep.js', ['--sqlite'], { ROWS: '20' }, /^PASS {2}SQLite: .*left 0$/m],
  [
    'bench/run.js',
    ['--smoke', '--sqlite', '--only=floors'],
    {},
    /^\| logins with a password, per second \| +[\d.]+ \|/m,
  ],
])('%s runs', async (script, args, env, said) => {
  const options = { cwd: ROOT, env: { ...process.env, ...env } }
  const ended = run(process.execPath, [join(ROOT, script), ...args], options)
  // On a busy machine it may miss its goal, which is the exit code 1.
  const { stdout } = await ended.catch((error) => error)
  expect(stdout).toMatch(said)
})

test('a filled database of this version can be recorded, with rows in every table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-recorded-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await run(process.execPath, [join(ROOT, 'scripts/record-filled-database.js'), folder])
  const [file = ''] = readdirSync(folder)
  const { tables, known } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  expect(Object.keys(tables).length).toBeGreaterThan(30)
  const empty = Object.keys(tables).filter((name) => tables[name].length === 0)
  expect(empty).toEqual([])
  expect(Object.values(known)).not.toContain(undefined)
})
