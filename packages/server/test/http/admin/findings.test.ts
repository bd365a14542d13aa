import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AT, createAuthenticator, UP } from '../../support/authenticator.ts'
import { createUserWithMfa } from '../../support/mfa.ts'
import { register } from '../../support/passkeys.ts'
import { SECRET_KEY, startAuth } from '../../support/start-auth.ts'

const HOST = { kind: 'host', name: 'support', may: 'all' } as const

test('the findings are those of check --deploy, also about sealed data, operators and keys', async () => {
  const MODULES = ['mfa', 'passkeys', 'admin'] as const
  const auth = await startAuth({ MODULES, SECRET_KEY_FALLBACKS: [`${SECRET_KEY} of before`] })
  const { operations } = auth.auth.services
  const { id: pk } = await auth.createUser({ username: 'grace' })
  await operations.call(HOST, 'users.update', { pk, is_superuser: true })
  await operations.call(HOST, 'adminKeys.create', { name: 'sync', scopes: ['read'] })
  const token = await auth.createUserWithToken('ada')
  const about = async (setting: string) => {
    const { results } = await operations.call(HOST, 'findings.list', {})
    return results.filter((one) => one.setting === setting).map(({ finding }) => finding)
  }
  expect(await about('sealed data')).toEqual([])
  expect(await about('SECRET_KEY_FALLBACKS')).toEqual(['no former key is in use'])
  expect(await about('superusers')).toEqual([
    `1 superuser has neither a second factor nor a passkey that opens the admin pages (${pk})`,
  ])
  expect(await about('admin keys')).toEqual(['1 key never expires (sync)'])

  await sql`update tokens set sealed_key = 'x'`.execute(auth.db)
  // Opening every sealed value takes long, so the result is good for a minute.
  expect(await about('sealed data')).toEqual([])
  auth.clock.advance(60_000)
  const { id } = await auth.findUser('ada')
  expect(await about('sealed data')).toEqual([`1 value in tokens cannot be opened (user ${id})`])
  expect(JSON.stringify(await operations.call(HOST, 'findings.list', {}))).not.toContain(token)
})

test('a superuser whose passkeys do not open the admin is a finding', async () => {
  const auth = await startAuth({ MODULES: ['mfa', 'passkeys', 'admin'] })
  const { operations } = auth.auth.services
  const token = await auth.createUserWithToken('grace')
  const { id: pk } = await auth.findUser('grace')
  await operations.call(HOST, 'users.update', { pk, is_superuser: true })
  const findings = async () => {
    const { results } = await operations.call(HOST, 'findings.list', {})
    return results.filter(({ setting }) => setting === 'superusers')
  }
  await register(auth.request, token, createAuthenticator(), { flags: UP | AT })
  expect(await findings()).toHaveLength(1)
  await register(auth.request, token, createAuthenticator())
  expect(await findings()).toEqual([])
})

test('a finding about sealed data counts values, and names users', async () => {
  const auth = await startAuth()
  const { operations } = auth.auth.services
  const about = async () => {
    auth.clock.advance(60_000)
    const { results } = await operations.call(HOST, 'findings.list', {})
    return results.flatMap(({ setting, finding }) => (setting === 'sealed data' ? finding : []))
  }
  await createUserWithMfa(auth, 'ada')
  await sql`update recovery_codes set sealed_code = 'x'`.execute(auth.db)
  const { id } = await auth.findUser('ada')
  expect(await about()).toEqual([`10 values in recovery_codes cannot be opened (user ${id})`])

  for (const name of ['b', 'c', 'd', 'e', 'f']) await createUserWithMfa(auth, name)
  await sql`update recovery_codes set sealed_code = 'x'`.execute(auth.db)
  expect(await about()).toEqual([
    expect.stringMatching(/^60 values .* \(users \d+, \d+, \d+, \d+, \d+, …\)$/),
  ])
})
