import { expect, test } from 'vitest'
import { hostsOf } from '../../src/storage/postgres-client.ts'
import { primaryUrl } from '../../src/storage/postgres-primary.ts'

const LOCAL = { host: 'localhost', port: 5432 }

test.each([
  ['u:p@/db?host=/cloudsql/a:b:c', { host: '/cloudsql/a:b:c', port: 5432, user: 'u' }],
  ['u:p@/db', { ...LOCAL, user: 'u', password: 'p', database: 'db' }],
  ['u:a b%C3%A9@a/db', { password: 'a bé' }],
  ['u:50%off%C3%A9%@a/db', { password: '50%offé%' }],
  ['u@a/%23a%2Fb%3F%40%26%20c', { database: '#a/b?@& c' }],
  ['u@a', { database: 'u' }],
  ['u@a/db?statement_timeout=30000', { statementMs: 30_000 }],
  ['u@a/db?idle_in_transaction_session_timeout=0', { idleMs: 0 }],
])('postgres://%s leads where it says', (url, config) => {
  expect(hostsOf(`postgres://${url}`)[0]).toMatchObject(config)
})

test('the URL of a single host is encoded for other programs, too', async () => {
  expect(await primaryUrl('postgres://u:a b%C3%A9@a/db')).toBe('postgres://u:a%20b%C3%A9@a/db')
})
