import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'
import { QUIET } from '../support/embed.ts'

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
