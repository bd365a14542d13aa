import { expect, test } from 'vitest'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const ADDRESS = { email: 'ada@example.com', email_key: 'ada@example.com' }

/** Somebody who has only ever logged in by the provider. */
async function disconnect(ACCOUNT: object, address: object) {
  const idp = await startHostileProvider()
  const auth = await startAuth({ ...idp.settings(), ACCOUNT })
  const id_token = await idp.idToken(auth.clock, { sub: 'ada-there' })
  const { key: token } = (await auth.request.post('idp/', { id_token })).body as { key: string }
  await auth.db.updateTable('users').set(address).execute()
  const { id } = await auth.db.selectFrom('social_accounts').select('id').executeTakeFirstOrThrow()
  return (await auth.request.post(`socialaccounts/${id}/disconnect/`, {}, { token })).status
}

const ON = { LOGIN_BY_CODE_ENABLED: true }

test.each([
  ['a proved address is a way in', ON, { ...ADDRESS, email_verified: 1 }, 200],
  ['one that may be mistyped is none', ON, { ...ADDRESS, email_verified: 0 }, 400],
  ['nor is no address at all', ON, { email: '', email_key: null, email_verified: 1 }, 400],
  ['nor any where logins by code are off', {}, { ...ADDRESS, email_verified: 1 }, 400],
] as const)('%s', async (_, settings, address, status) => {
  expect(await disconnect(settings, address)).toBe(status)
})
