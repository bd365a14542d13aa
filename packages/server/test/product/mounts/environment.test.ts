import { expect, onTestFinished, test, vi } from 'vitest'
import { callerOf, embed, SIGNUP } from '../../support/embed.ts'
import { emptyDatabase } from '../../support/new-database.ts'

/** Each of them would break a connection, or lead it elsewhere. */
const HOSTILE = {
  PGHOST: '127.0.0.2',
  PGPORT: '1',
  PGUSER: 'nobody',
  PGPASSWORD: 'nothing',
  PGDATABASE: 'nowhere',
  PGOPTIONS: '-c default_transaction_read_only=on -c search_path=nowhere',
  PGSSLMODE: 'require',
  PGREPLICATION: 'database',
  DATABASE_URL: 'sqlite:/nowhere/at/all.db',
  REST_AUTH_USE_JWT: 'true',
}

test('the environment of the process changes nothing', async () => {
  const DATABASE_URL = await emptyDatabase(onTestFinished)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(HOSTILE)) vi.stubEnv(name, value)
  const { auth } = await embed({ DATABASE_URL })
  const send = (path: string, init?: RequestInit) =>
    auth.fetch(new Request(`http://h${path}`, init))
  const { status, body } = await callerOf(send, { api: '/auth/' }).post('registration/', SIGNUP)
  expect([status, body]).toEqual([201, { key: expect.any(String) }])
})
