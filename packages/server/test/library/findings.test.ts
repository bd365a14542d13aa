import { chmod, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
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
