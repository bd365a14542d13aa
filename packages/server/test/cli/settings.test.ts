import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const SECRET_KEY = 'a-key-that-must-not-be-seen-anywhere'
const PASSWORD = 'a-password-that-must-not-be-seen'

test('every setting is shown with its origin, and secrets are masked', async () => {
  const { run, cwd } = await newCli()
  await writeFile(join(cwd, 'latchkey.config.json'), '{"REST_AUTH": {"USE_JWT": true}}')
  const args = ['settings', '--set', 'PORT=9000', '--set', `SECRET_KEY=${SECRET_KEY}`]
  const env = { HOST: '::1', DATABASE_URL: `postgres://ada:${PASSWORD}@db.example/auth` }
  const { code, stdout, stderr } = await run(args, { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^NAME +ORIGIN +VALUE\n/)
  expect(stdout).toMatch(/^PORT +--set +9000$/m)
  expect(stdout).toMatch(/^HOST +environment +::1$/m)
  expect(stdout).toMatch(/^REST_AUTH\.USE_JWT +file +true$/m)
  expect(stdout).toMatch(/^AUTH_PREFIX +default +\/auth\/$/m)
  expect(stdout).toMatch(/^SECRET_KEY +--set +\*+$/m)
  expect(stdout).not.toContain(SECRET_KEY)
  expect(stdout).not.toContain(PASSWORD)
})

test('programs get the settings as an array, masked as well', async () => {
  const { run } = await newCli()
  const { stdout } = await run(['settings', '--json'], { env: { SECRET_KEY } })
  expect(stdout).not.toContain(SECRET_KEY)
  const rows: { name: string }[] = JSON.parse(stdout)
  expect(rows.find(({ name }) => name === 'REST_AUTH.USE_JWT')).toEqual({
    name: 'REST_AUTH.USE_JWT',
    env: 'REST_AUTH_USE_JWT',
    value: 'false',
    origin: 'default',
    doc: expect.any(String),
  })
})

test('showing the settings creates no files', async () => {
  const { run, cwd } = await newCli()
  await run(['settings'])
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test.each([['serve'], ['migrate'], ['check'], ['settings'], ['user', 'list'], ['openapi']])(
  '%s %s refuses bad settings and lists them all',
  async (...command) => {
    const { run, cwd } = await newCli()
    const args = [...command.filter(Boolean), '--set', 'PORT=many', '--set', 'REST_AUTH.USE_JTW=1']
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^REST_AUTH\.USE_JTW .*did you mean REST_AUTH\.USE_JWT\?$/),
      expect.stringMatching(/^PORT .*"many"/),
    ])
    expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
  },
)

test('a config file that is asked for must exist', async () => {
  const { run } = await newCli()
  const { code, stderr } = await run(['check', '--config', 'none.json'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^config file none\.json: .*\n$/)
})

test('PostgreSQL without a secret key is refused before anything is tried', async () => {
  const { run } = await newCli()
  const url = `postgres://ada:${PASSWORD}@127.0.0.1:1/auth`
  const { code, stderr } = await run(['serve', '--set', `DATABASE_URL=${url}`])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^SECRET_KEY: must be set.*\n$/)
  expect(stderr).not.toContain(PASSWORD)
})
