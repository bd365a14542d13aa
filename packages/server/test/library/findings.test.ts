import { chmod, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { newCli } from '../cli/support/cli.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

test('the running service reports open files, and knows the age of the key in its file', async () => {
  const folder = await newDatabaseFolder('findings')
  const file = join(folder, 'own', 'latchkey.db')
  const settings = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'silent' } as const
  const auth = await createAuth(settings, { mail: { send: async () => {} } })
  onTestFinished(() => auth.close())
  const { findings, keys } = auth.admin
  const aboutFiles = async () =>
    (await findings.list()).results.filter(({ setting }) => /folder|key$/.test(setting))

  const keyFile = join(dirname(file), 'secret.key')
  expect(await aboutFiles()).toEqual([])
  await chmod(dirname(file), 0o755)
  await chmod(keyFile, 0o644)
  expect(await aboutFiles()).toMatchObject([
    { setting: 'data folder', mend: expect.stringContaining('mode 700') },
    { setting: 'secret key', mend: `run "chmod 600 ${keyFile}"` },
  ])

  const written = new Date('2030-01-01T12:00:00.000Z')
  await utimes(keyFile, written, written)
  expect((await stat(keyFile)).mtime).toEqual(written)
  const since = '2030-01-01T12:00:00.000Z'
  expect((await keys.list()).results).toMatchObject([
    { use: 'signs', id: null, since },
    { use: 'seals', since },
  ])
})

test('the keys of tokens are those that the running service uses, whatever became of the files', async () => {
  const { run, cwd } = await newCli()
  const [file, former] = [join(cwd, 'signing.pem'), join(cwd, 'former')]
  await run(['keys', 'generate', '--out', file])
  const SIMPLE_JWT = { ALGORITHM: 'ES256', SIGNING_KEY: file } as const
  const written = new Date('2030-01-01T12:00:00.000Z')
  await utimes(file, written, written)
  const settings = { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', SIMPLE_JWT } as const
  const auth = await createAuth(settings, { mail: { send: async () => {} } })
  onTestFinished(() => auth.close())
  const signing = async () =>
    (await auth.admin.keys.list()).results.filter(({ use }) => use === 'signs' || use === 'checks')
  const published = await auth.fetch(new Request('http://app.test/auth/.well-known/jwks.json'))
  const { keys } = (await published.json()) as { keys: { kid: string }[] }
  const inUse = keys.map(({ kid: id }) => ({
    use: 'signs',
    id,
    algorithm: 'ES256',
    since: '2030-01-01T12:00:00.000Z',
  }))
  expect(inUse).toHaveLength(1)
  expect(await signing()).toEqual(inUse)

  const rotating = { ...SIMPLE_JWT, VERIFYING_KEY: former }
  const set = Object.entries(rotating).flatMap(([name, to]) => [
    '--set',
    `SIMPLE_JWT.${name}=${to}`,
  ])
  expect(await run(['keys', 'rotate', ...set])).toMatchObject({ code: 0 })
  expect(await signing()).toEqual(inUse)
  await rm(file)
  expect(await signing()).toEqual(inUse)
})
