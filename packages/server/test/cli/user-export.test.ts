import { statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

test.each([[], ['--json']])(
  'user export prints what is known, as JSON (%j)',
  async (...options) => {
    const { createAda, run } = await newCli()
    await createAda('--email', 'ada@example.com')
    const { code, stdout, stderr } = await run(['user', 'export', 'ada', ...options])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      cut: [],
      user: { pk: 1, username: 'ada', email: 'ada@example.com', has_password: true },
      logins: [],
      history: [{ event: 'user_created' }],
    })
    expect(stdout).not.toContain('argon2')
  },
)

test('it writes a file that only its owner may read, and replaces none unasked', async () => {
  const { createAda, run, cwd } = await newCli()
  await createAda()
  const file = join(cwd, 'ada.json')
  const args = ['user', 'export', 'ada', '--output', 'ada.json']
  expect(await run(args)).toEqual({
    code: 0,
    stdout: `ada (pk 1) is exported to ${file}.\n`,
    stderr: '',
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ user: { username: 'ada' } })
  await writeFile(file, 'mine')
  expect(await run(args)).toMatchObject({
    code: 1,
    stderr: `${file} already exists. Use --force to replace it.\n`,
  })
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect((await run([...args, '--force'])).code).toBe(0)
  expect(await readFile(file, 'utf8')).toContain('"username": "ada"')
})

test('a user with a UUID is named by it', async () => {
  const { createAda, run } = await newCli()
  const uuids = ['--set', 'USER_PK=uuid']
  const { pk } = JSON.parse((await createAda('--json', ...uuids)).stdout)
  const args = ['user', 'export', 'ada', '--output', 'ada.json', '--json', ...uuids]
  expect(JSON.parse((await run(args)).stdout)).toMatchObject({ pk })
  expect(pk).toHaveLength(36)
})

test('--force is nothing without --output', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const { code, stderr } = await run(['user', 'export', 'ada', '--force'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^--force needs --output\.\n/)
})

test('an export is recorded, with who and from where', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  await run(['user', 'export', 'ada'])
  const { stdout } = await run(['user', 'show', 'ada', '--json'])
  const [newest] = (JSON.parse(stdout) as { history: object[] }).history
  const details = { operator: 'grace', host: 'console' }
  expect(newest).toMatchObject({ event: 'account_exported', details })
})
