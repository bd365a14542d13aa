import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { composeService } from '../../src/compose-service.ts'
import { createAuth } from '../../src/index.ts'
import { buildApp } from '../../src/server/build-app.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { newCli } from './support/cli.ts'

test('a lost secret key must be restored, and no new one is made', async () => {
  const { run, file } = await newCli()
  await run(['migrate'])
  const key = join(dirname(file), 'secret.key')
  await rm(key)
  const { code, stdout } = await run(['check'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fix {3}secret key: .*secret\.key is missing, .* Restore it/m)
  expect(existsSync(key)).toBe(false)
})

test('a secret key that cannot be used is a finding beside the others, with a database and without', async () => {
  const { run, file, cwd } = await newCli()
  const key = join(dirname(file), 'secret.key')
  await mkdir(dirname(file), { mode: 0o700 })
  for (const hasDatabase of [false, true]) {
    if (hasDatabase) await run(['migrate'])
    await writeFile(key, 'short', { mode: 0o600 })
    const { code, stdout, stderr } = await run(['check', '--json'])
    const { findings } = JSON.parse(stdout)
    expect(findings).toContainEqual({
      about: 'secret key',
      says: `${join(cwd, 'latchkey-data/secret.key')} does not hold at least 32 characters, such as the output of "openssl rand -hex 32"`,
      mend: 'restore it from a backup, or let this user read it',
    })
    expect(findings.length).toBeGreaterThan(2)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '1 finding.\n' })
    await rm(key)
  }
})

test('a secret key in the settings needs no file', async () => {
  const { run, cwd } = await newCli()
  await mkdir(join(cwd, 'latchkey-data'), { mode: 0o700 })
  const env = { SECRET_KEY: 'a secret that is long enough for a key' }
  const { code, stdout } = await run(['check'], { env })
  expect(code).toBe(0)
  expect(stdout).not.toContain('secret')
})

test('a start with another key than that of the data says so, and one with a former key does not', async () => {
  const { createAda, run, file } = await newCli()
  await createAda('--email', 'ada@example.com')
  await run(['user', 'send-reset', 'ada'])
  const former = (await readFile(join(dirname(file), 'secret.key'), 'utf8')).trim()
  const SECRET_KEY = 'another secret that is long enough for a key'

  const warningsWith = async (keys: { SECRET_KEY_FALLBACKS?: string[] }) => {
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
    const settings = { DATABASE_URL: `sqlite:${file}`, SECRET_KEY, ...keys }
    const service = composeService(resolveSettings(settings), { log, sendsMail: false })
    const app = await buildApp(service)
    await app.ready()
    await app.close()
    return warnings
  }
  expect(await warningsWith({ SECRET_KEY_FALLBACKS: [former] })).toEqual([])
  expect(await warningsWith({})).toEqual([
    expect.stringMatching(/^SECRET_KEY: stored data is sealed with another key, .*_FALLBACKS\./),
  ])

  const said: string[] = []
  const log = { info() {}, warn: (_: object, text: string) => void said.push(text), error() {} }
  const embedded = { DATABASE_URL: `sqlite:${file}`, SECRET_KEY, EMAIL_URL: 'console:' } as const
  const auth = await createAuth(embedded, { log, mail: { send: async () => {} } })
  await auth.close()
  expect(said).toContainEqual(expect.stringContaining('sealed with another key'))
})

test('--deploy also looks at a key that is in its file', async () => {
  const { run, file } = await newCli()
  await run(['migrate'])
  const key = join(dirname(file), 'secret.key')
  const found = async () =>
    /^fix {3}SECRET_KEY: .*$/m.exec((await run(['check', '--deploy'])).stdout)
  expect(await found()).toBeNull()
  await writeFile(key, `${'a'.repeat(64)}\n`)
  expect((await found())?.[0]).toContain('the key can be guessed')
  await writeFile(key, 'short')
  const { stdout } = await run(['check', '--deploy'])
  expect(stdout).toMatch(
    /^fix {3}secret key: .*secret\.key does not hold at least 32 characters, .*\. Restore it/m,
  )
})

test('--deploy with a former key makes neither a database nor tables to look into', async () => {
  const { run, file, inDatabase } = await newCli()
  const env = {
    SECRET_KEY: 'a secret that is long enough for a key',
    SECRET_KEY_FALLBACKS: '["the one before it, which is long enough"]',
  }
  const formerKeys = async () => {
    const { stdout } = await run(['check', '--deploy'], { env })
    return /^fix {3}SECRET_KEY_FALLBACKS.*$/m.exec(stdout)?.[0]
  }
  expect(await formerKeys()).toBeUndefined()
  expect(existsSync(file)).toBe(false)
  await run(['migrate'], { env })
  expect(await formerKeys()).toMatch(/Remove the former keys\.$/)
  await inDatabase(({ db }) => sql`delete from latchkey_migrations`.execute(db))
  expect(await formerKeys()).toBeUndefined()
})
