import { expect, test } from 'vitest'
import { found, sound } from './sound-deployment.ts'

const withRates = (RATE_LIMITS: object, more: object = {}) =>
  found({ ...sound, ACCOUNT: { ...sound.ACCOUNT, RATE_LIMITS }, ...more })

test.each([
  { login_failed: '999999/s/key' },
  { login_failed: '20/m/user,100/m/ip' },
  // Somebody with many addresses has as many limits.
  { login_failed: '5/m/ip' },
  { login_failed: '30000/30d/key' },
  { mfa_failed: '999999/s/user' },
  { mfa_failed: '10/m/ip' },
  { mfa_failed: '100/h/ip,5/m/key' },
])('guessing is free with the limits %j', (limits) => {
  expect(withRates(limits)).toEqual(['ACCOUNT.RATE_LIMITS'])
})

test.each([
  // The defaults of allauth, and what older versions of it had.
  { login_failed: '10/m/ip,5/300s/key' },
  { login_failed: '10/m/key' },
  { login_failed: '20000/d/key' },
  { login_failed: '999999/s/ip,5/m/user' },
  { login_failed: '999999/s/key,10/5m/key' },
  { mfa_failed: '10/5m/user' },
  { mfa_failed: '3000/30d/key,10/m/ip' },
])('the limits %j bound how much can be guessed', (limits) => {
  expect(withRates(limits)).toEqual([])
})

test('a limit that is off is one finding, and codes need none without second factors', () => {
  expect(withRates({ login_failed: 'none' })).toEqual(['ACCOUNT.RATE_LIMITS'])
  expect(withRates({ mfa_failed: '10/s/user' }, { MODULES: ['pages'] })).toEqual([])
})

test.each([
  'postgres://u:p@db.example.com/latchkey',
  'postgres://u:p@10.0.0.5:5432/latchkey',
  'postgres://u:p@[fd00::1]/latchkey',
  'postgres://u:p@db.example.com/latchkey?sslmode=disable',
  'postgres://u:p@db.example.com/latchkey?sslmode=require&sslmode=disable',
  'postgres://u:p@db.example.com/latchkey?ssl=0',
  'postgres://u:p@localhost/latchkey?host=db.example.com',
  'postgres://u:p@localhost:5432,db.example.com:5432/latchkey',
])('the database may be reached in the clear by %s', (DATABASE_URL) => {
  expect(found({ ...sound, DATABASE_URL })).toEqual(['DATABASE_URL'])
})

test.each([
  'postgres://u:p@db.example.com/latchkey?sslmode=require',
  'postgres://u:p@db.example.com/latchkey?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://u:p@a.example.com,b.example.com/latchkey?sslmode=verify-full',
  'postgres://u:p@db.example.com/latchkey?ssl=true',
  'postgres://u:p@127.0.0.1:5432/latchkey',
  'postgres://u:p@[::1]/latchkey',
  'postgres://u:p@localhost/latchkey',
  'postgres:///latchkey',
  'postgres://u:p@postgres:5432/latchkey',
  'postgres://u:p@/latchkey?host=/cloudsql/project:region:instance',
  'postgres://u:p@%2Frun%2Fpostgresql/latchkey',
])('the database is safe by %s', (DATABASE_URL) => {
  expect(found({ ...sound, DATABASE_URL })).toEqual([])
})
