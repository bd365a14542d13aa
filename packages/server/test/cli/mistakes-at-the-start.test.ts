import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuth, SettingsError } from '../../src/index.ts'
import { QUIET } from '../support/embed.ts'
import { newCli } from './support/cli.ts'

const SIGNING_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

/** A provider of this name does not exist, as in a file of a JavaScript program. */
const PROVIDERS = { zzz: {} } as object

/** Every value is accepted when it is loaded, and turns out to be wrong when it is used. */
const wrong = {
  ROUTES: { 'nope/': 'yes/', 'zzz/': 'social/zzz/', '{provider}/': 'social/{provider}/' },
  SOCIALACCOUNT: { PROVIDERS },
  EMAIL_TEMPLATES_DIR: '/nonexistent',
  ACCOUNT: { ALLOWED_EMAIL_DOMAINS: ['file:/none'], BLOCKED_EMAIL_DOMAINS: ['file:/nothing'] },
  SIMPLE_JWT: { ALGORITHM: 'RS256', SIGNING_KEY, VERIFYING_KEY: '/no-keys' },
} as const

const EACH = [
  /^EMAIL_TEMPLATES_DIR: the folder \/nonexistent cannot be read \(ENOENT\)/,
  /^SIMPLE_JWT\.SIGNING_KEY is not an RSA key/,
  /^SIMPLE_JWT\.VERIFYING_KEY is neither PEM text nor a path that can be read \(ENOENT\)/,
  /^ACCOUNT\.ALLOWED_EMAIL_DOMAINS: the file \/none cannot be read \(ENOENT\)/,
  /^ACCOUNT\.BLOCKED_EMAIL_DOMAINS: the file \/nothing cannot be read \(ENOENT\)/,
  /^SOCIALACCOUNT\.PROVIDERS\.zzz: no such provider/,
  /^ROUTES: there is no endpoint nope\//,
].map((line) => expect.stringMatching(line))

async function withWrongFile() {
  const cli = await newCli()
  await writeFile(join(cli.cwd, 'latchkey.config.json'), JSON.stringify(wrong))
  return cli
}

test.each([['serve', '--set=PORT=0'], ['migrate']])(
  '%s names them all at once',
  async (...args) => {
    const { run } = await withWrongFile()
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toEqual(EACH)
  },
)

test('a host gets them all at once', async () => {
  const error = await createAuth(
    { ...wrong, DATABASE_URL: 'sqlite::memory:' },
    { log: QUIET },
  ).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(SettingsError)
  expect((error as SettingsError).mistakes).toEqual(EACH)
})

test('for a check they are findings beside the others', async () => {
  const { run } = await withWrongFile()
  const { code, stdout } = await run(['check'])
  expect(code).toBe(1)
  const { findings } = JSON.parse((await run(['check', '--json'])).stdout)
  const says = findings.flatMap((one: { says: string; mend: string | null }) =>
    one.mend === null ? [] : one.says,
  )
  expect(says).toHaveLength(EACH.length)
  expect(says).toEqual(expect.arrayContaining(EACH))
  expect(stdout).toMatch(/^fix {3}keys: SIMPLE_JWT\.SIGNING_KEY is not an RSA key/m)
  expect(stdout).toMatch(/^ok {4}database: /m)
})

test('a folder for mails that cannot be read is not called a database', async () => {
  const { run, cwd } = await newCli()
  const file = join(cwd, 'words')
  await writeFile(file, 'a file where the folder should be')
  const { code, stderr } = await run(['serve', `--set=EMAIL_TEMPLATES_DIR=${file}`])
  expect(code).toBe(1)
  expect(stderr).toBe(`EMAIL_TEMPLATES_DIR: the folder ${file} cannot be read (ENOTDIR)\n`)
})

test('a broken provider is named, and not the paths that it would have', async () => {
  const { run, cwd } = await newCli()
  const APPS = [{ provider_id: 'keycloak', client_id: 'x', secret: 'y' }, 'nonsense']
  const config = {
    ROUTES: { 'keycloak/': 'social/keycloak/' },
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS: APPS.slice(0, 1) } } },
  }
  const stderrOf = async (changed: object) => {
    await writeFile(join(cwd, 'latchkey.config.json'), JSON.stringify({ ...config, ...changed }))
    return (await run(['migrate'])).stderr
  }
  expect(await stderrOf({})).toMatch(
    /^SOCIALACCOUNT\.PROVIDERS\.openid_connect\.\S+SERVER_URL: must be given: .*\n$/,
  )
  const broken = { SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } } }
  expect(await stderrOf(broken)).toMatch(
    /^SOCIALACCOUNT\.PROVIDERS\.openid_connect\.APP: expected .*\n$/,
  )
})
