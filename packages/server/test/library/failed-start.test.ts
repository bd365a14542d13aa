import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { QUIET } from '../support/embed.ts'

test('a start that fails leaves no connection to the database open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-failed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
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
