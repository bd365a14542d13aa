import { existsSync } from 'node:fs'
import {
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const KID = /^[\w-]{43}$/

async function newKeys() {
  const cli = await newCli()
  const [file, folder] = [join(cli.cwd, 'keys', 'signing.pem'), join(cli.cwd, 'former')]
  const settings = (verifying: string) => [
    ...['--set', 'SIMPLE_JWT.ALGORITHM=ES256'],
    ...['--set', `SIMPLE_JWT.SIGNING_KEY=${file}`],
    ...['--set', `SIMPLE_JWT.VERIFYING_KEY=${verifying}`],
  ]
  await cli.run(['keys', 'generate', '--out', file])
  return { ...cli, file, folder, settings }
}

const WRONG_PEM = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'

const PEM = /^-----BEGIN PRIVATE KEY-----\n[\s\S]+\n-----END PRIVATE KEY-----\n$/

test.each(['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
  'a key for %s is printed',
  async (algorithm) => {
    const { run } = await newCli()
    const args = ['keys', 'generate', '--algorithm', algorithm]
    // RSA keys take seconds to make, and are the same for all three of their algorithms.
    for (const form of algorithm === 'RS256' ? ['json'] : ['json', 'text']) {
      const { code, stdout } = await run(form === 'json' ? [...args, '--json'] : args)
      expect(code).toBe(0)
      const kid = expect.stringMatching(KID)
      const private_key = expect.stringMatching(PEM)
      if (form === 'json') expect(JSON.parse(stdout)).toEqual({ kid, algorithm, private_key })
      else expect(stdout).toMatch(PEM)
    }
  },
)

test('there are no keys to make for HS256, nor for what nobody knows', async () => {
  const { run } = await newCli()
  for (const algorithm of ['HS256', 'none']) {
    const { code, stderr } = await run(['keys', 'generate', '--algorithm', algorithm])
    expect(code).toBe(2)
    expect(stderr).toContain(
      '--algorithm must be one of RS256, RS384, RS512, ES256, ES384, ES512, EdDSA.',
    )
  }
})

test('a file of a key is private, and never overwritten', async () => {
  const { run, file } = await newKeys()
  const key = await readFile(file, 'utf8')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { code, stderr } = await run(['keys', 'generate', '--out', file])
  expect(code).toBe(1)
  expect(stderr).toContain('already exists')
  expect(await readFile(file, 'utf8')).toBe(key)
})

test('a rotation leaves the old key for checking', async () => {
  const { run, file, folder, settings } = await newKeys()
  const [before, { stdout, code }] = [
    await readFile(file, 'utf8'),
    await run(['keys', 'rotate', '--json', ...settings(folder)]),
  ]
  expect(code).toBe(0)
  const { signs, checks } = JSON.parse(stdout)
  expect(await readFile(file, 'utf8')).not.toBe(before)
  expect(await readdir(folder)).toEqual([`${checks}.pem`])

  const list = await run(['keys', 'list', ...settings(folder)])
  expect(list.stdout).toMatch(
    new RegExp(`^KID +ALGORITHM +USE +SINCE\n${signs} +ES256 +signs +20\\S+Z\n`),
  )
  expect(list.stdout).toMatch(new RegExp(`^${checks} +ES256 +checks +20\\S+Z$`, 'm'))
  const json = await run(['keys', 'list', '--json', ...settings(folder)])
  expect(JSON.parse(json.stdout).keys).toEqual([
    { kid: signs, signs: true, since: expect.stringMatching(/^20.*Z$/) },
    { kid: checks, signs: false, since: expect.stringMatching(/^20.*Z$/) },
  ])
})

test('a rotation leaves a link where it is, and replaces the key behind it', async () => {
  const { run, cwd, file, folder, settings } = await newKeys()
  const behind = join(cwd, 'shared', 'signing.pem')
  await mkdir(join(cwd, 'shared'))
  await rename(file, behind)
  await symlink(behind, file)
  const before = await readFile(behind, 'utf8')
  expect(await run(['keys', 'rotate', ...settings(folder)])).toMatchObject({ code: 0 })
  expect(await readlink(file)).toBe(behind)
  expect(await readFile(behind, 'utf8')).not.toBe(before)
  expect(await readdir(join(cwd, 'shared'))).toEqual(['signing.pem'])
})

test('a new key is private, whatever lies beside it', async () => {
  const { run, file, folder, settings } = await newKeys()
  const draft = `${file}.new`
  await writeFile(draft, 'not ours', { mode: 0o644 })
  expect((await run(['keys', 'rotate', ...settings(folder)])).code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(draft, 'utf8')).toBe('not ours')
})

test('without a folder for former keys nothing is rotated', async () => {
  const { run, file, settings } = await newKeys()
  const before = await readFile(file, 'utf8')
  const { code, stderr } = await run(['keys', 'rotate', ...settings('none')])
  expect(code).toBe(1)
  expect(stderr).toContain('SIMPLE_JWT.VERIFYING_KEY a folder')
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('a list and a rotation name every wrong key, as the start does', async () => {
  const { run, file, folder, settings } = await newKeys()
  await mkdir(folder)
  await writeFile(join(folder, 'former.pem'), WRONG_PEM)
  const key = await readFile(file, 'utf8')
  const formerIsWrong = expect.stringMatching(/^SIMPLE_JWT\.VERIFYING_KEY is not a key in PEM.*\n$/)
  expect(await run(['keys', 'rotate', ...settings(folder)])).toMatchObject({
    code: 1,
    stderr: formerIsWrong,
  })
  expect(await readFile(file, 'utf8')).toBe(key)

  await writeFile(file, WRONG_PEM)
  for (const command of ['list', 'rotate']) {
    const { code, stderr } = await run(['keys', command, ...settings(folder)])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^SIMPLE_JWT\.SIGNING_KEY is not .*\nSIMPLE_JWT\.VERIFYING_KEY is not .*\n$/,
    )
  }
  expect(await readdir(folder)).toEqual(['former.pem'])
})

test('a shared secret is neither listed nor rotated', async () => {
  const { run, cwd } = await newCli()
  expect(await run(['keys', 'list'])).toMatchObject({
    code: 0,
    stdout: 'HS256 uses one shared secret, which is not published.\n',
  })
  expect((await run(['keys', 'rotate'])).code).toBe(1)
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('a check looks at the keys', async () => {
  const { run, folder, settings } = await newKeys()
  const { stdout } = await run(['check', ...settings(folder)])
  expect(stdout).toContain(`fix   keys: SIMPLE_JWT.VERIFYING_KEY is neither`)
  await run(['keys', 'rotate', ...settings(folder)])
  const again = await run(['check', ...settings(folder)])
  expect(again.stdout).toContain('ok    keys: can be used (2 to check tokens)')
})

test('the keys that seal what is stored are listed with their age, never their values', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const [SECRET, FORMER] = ['a'.repeat(50), 'b'.repeat(50)]
  const own = await run(['keys', 'list'])
  expect(own.stdout).toMatch(/published\.\n\nKID .*\n[\w-]{8} +AES-256-GCM +seals +20\S+Z\n$/)
  const env = { SECRET_KEY: SECRET, SECRET_KEY_FALLBACKS: JSON.stringify([FORMER]) }
  const { stdout } = await run(['keys', 'list', '--json'], { env })
  const id = expect.stringMatching(/^[\w-]{8}$/)
  expect(JSON.parse(stdout).sealing).toEqual([
    { id, algorithm: 'AES-256-GCM', use: 'seals', since: null },
    { id, algorithm: 'AES-256-GCM', use: 'opens', since: null },
  ])
  for (const key of [SECRET, FORMER]) expect(stdout).not.toContain(key.slice(0, 8))
})
