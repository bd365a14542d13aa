import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'
import { QUIET } from '../support/embed.ts'
import { SECRET_KEY } from '../support/start-auth.ts'

test('a start that fails leaves no connection to the database open', async () => {
  const folder = await newDatabaseFolder('failed')
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, 'app.db')}`,
    ROUTES: { 'login/': 'logout/' },
  }
  // The journal is opened with a file that has been used before.
  for (const _ of ['first', 'again'])
    await expect(createAuth(settings, { log: QUIET })).rejects.toThrow('ROUTES')
  // The last connection that closes takes the journal with it.
  expect((await readdir(folder)).toSorted()).toEqual(['app.db', 'secret.key'])
})

test('a start without its database names it without the password, and passes on the cause', async () => {
  const folder = await newDatabaseFolder('unusable')
  const text = join(folder, 'text.db')
  await writeFile(text, 'no database, but a text of some length '.repeat(50))
  await mkdir(join(folder, 'folder.db'))
  const unusable = [
    ['postgres://ada:a-secret@127.0.0.1:1/auth', 'connect ECONNREFUSED 127.0.0.1:1'],
    [`sqlite:${text}`, 'file is not a database'],
    [`sqlite:${join(folder, 'folder.db')}`, 'it is a folder'],
  ] as const
  for (const [DATABASE_URL, reason] of unusable) {
    for (const migrate of [true, false]) {
      const shown = DATABASE_URL.replace('a-secret', '********')
      await expect(
        createAuth({ DATABASE_URL, SECRET_KEY }, { log: QUIET, migrate }),
      ).rejects.toMatchObject({
        message: `The database ${shown} cannot be used: ${reason}`,
        cause: { message: reason },
      })
    }
  }
})
