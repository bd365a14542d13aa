import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const LAST = {
  detail: 'This is your only way to log in. Set a password or connect another account first.',
}

/** A user who has logged in only with the provider. */
async function startWithAda(modules: string[], ACCOUNT: object = {}) {
  const idp = await startHostileProvider()
  const auth = await startAuth({
    ...idp.settings(),
    MODULES: ['registration', 'social', ...modules],
    ACCOUNT,
  })
  const id_token = await idp.idToken(auth.clock, { sub: 'ada-there' })
  const { key: token } = (await auth.request.post('idp/', { id_token })).body as { key: string }
  const { id, user_id } = await auth.db
    .selectFrom('social_accounts')
    .selectAll()
    .executeTakeFirstOrThrow()
  const disconnect = () => auth.request.post(`socialaccounts/${id}/disconnect/`, {}, { token })
  return { ...auth, user_id, token, disconnect }
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

test('a password is a way in only if a login can name the user', async () => {
  const auth = await startWithAda([], { LOGIN_METHODS: ['email'] })
  const { db, user_id, token, disconnect } = auth
  const passwords = { new_password1: PASSWORD, new_password2: PASSWORD }
  expect((await auth.request.post('password/change/', passwords, { token })).status).toBe(200)
  expect(await disconnect()).toMatchReply(400, LAST)

  // An address from Django names her, once it is verified.
  const email = 'ada@work.example'
  const address = { id: 1, user_id, email, email_key: email, verified: 0 } as const
  await db.insertInto('django_addresses').values(address).execute()
  expect(await disconnect()).toMatchReply(400, LAST)
  await db.updateTable('django_addresses').set({ verified: 1 }).execute()
  expect((await disconnect()).status).toBe(200)
  expect(await auth.request.post('login/', { email, password: PASSWORD })).toMatchReply(200, KEY)
})
