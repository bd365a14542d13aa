import { expect, test } from 'vitest'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const LAST = {
  detail: 'This is your only way to log in. Set a password or connect another account first.',
}

/** A user who has logged in only with the provider. */
async function startWithAda(modules: string[]) {
  const idp = await startHostileProvider()
  const auth = await startAuth({
    ...idp.settings(),
    MODULES: ['registration', 'social', ...modules],
  })
  const id_token = await idp.idToken(auth.clock, { sub: 'ada-there' })
  const { key: token } = (await auth.request.post('idp/', { id_token })).body as { key: string }
  const { id, user_id } = await auth.db
    .selectFrom('social_accounts')
    .selectAll()
    .executeTakeFirstOrThrow()
  const disconnect = () => auth.request.post(`socialaccounts/${id}/disconnect/`, {}, { token })
  return { ...auth, user_id, disconnect }
}

test('an account at a provider that is no longer configured is no way in', async () => {
  const { db, user_id, disconnect } = await startWithAda([])
  await db
    .insertInto('social_accounts')
    .values({
      user_id,
      provider: 'gone',
      issuer: 'https://gone.example',
      subject: 'ada',
      created_at: 0,
      last_login_at: 0,
    })
    .execute()
  expect(await disconnect()).toMatchReply(400, LAST)
})

test.each([
  ['passkeys that are switched off', 'no', [], 400],
  ['passkeys', 'a', ['passkeys'], 200],
])('%s are %s way in', async (_, _word, modules, status) => {
  const { db, user_id, disconnect } = await startWithAda(modules)
  await db.insertInto('passkey_owners').values({ user_id, handle: 'ada' }).execute()
  await db
    .insertInto('passkeys')
    .values({
      user_id,
      credential_id: 'c',
      public_key: 'k',
      sign_count: 0,
      user_verified: 1,
      backup_eligible: 0,
      backed_up: 0,
      discoverable: 1,
      transports: '[]',
      name: 'Passkey',
      created_at: 0,
      last_used_at: null,
    })
    .execute()
  expect((await disconnect()).status).toBe(status)
})
