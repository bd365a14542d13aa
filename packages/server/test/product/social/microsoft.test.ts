import { expect, test } from 'vitest'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { CLIENT_ID, startHostileProvider } from '../../support/hostile-provider.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { startAuth } from '../../support/start-auth.ts'

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const OID = '7c1e6f0e-0d5d-4f0a-9a55-3f2f1d2f0001'
const SUB = 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ'
const OF_ANOTHER = {
  non_field_errors: ['The social account is already connected to a different account.'],
}

async function start(more: Record<string, unknown> = {}, options: { shared?: boolean } = {}) {
  const idp = await startHostileProvider()
  const microsoft = {
    APP: { client_id: CLIENT_ID, secret: 'x' },
    TENANT,
    ISSUER: idp.url,
    JWKS_URL: `${idp.url}/keys`,
    ...more,
  }
  const auth = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { microsoft } } }, options)
  const { request, clock, db } = auth
  const idToken = (claims: object) => idp.idToken(clock, { sub: SUB, oid: OID, ...claims })
  const logIn = async (claims: object = {}) => {
    const reply = await request.post('microsoft/', { id_token: await idToken(claims) })
    const { key: token } = reply.body as { key: string }
    return (await request.get('user/', { token })).body as { pk: number; email: string }
  }
  /** As an import or an older version has stored it. */
  const store = async (subject: string, username = 'ada') => {
    const user = await auth.createUser({ username })
    const times = { created_at: 0, last_login_at: 0 }
    const account = { provider: 'microsoft', issuer: idp.url, subject, ...times }
    await db
      .insertInto('social_accounts')
      .values({ ...account, user_id: user.id })
      .execute()
    return user
  }
  const subjects = async () =>
    (await db.selectFrom('social_accounts').select('subject').orderBy('id').execute()).map(
      ({ subject }) => subject,
    )
  return { ...auth, idp, idToken, logIn, store, subjects }
}

test.each([
  ['a user of a tenant', OID, OID],
  ['a personal account', '00000000-0000-0000-48d3-1887fad3f73a', '48d31887fad3f73a'],
])('%s has the id of Microsoft Graph, as in allauth', async (_, oid, uid) => {
  const { store, logIn, subjects, db } = await start()
  const ada = await store(uid)
  expect(await logIn({ oid })).toMatchObject({ pk: ada.id })
  expect(await countRows(db, 'users')).toBe(1)
  expect(await subjects()).toEqual([uid])
})

test('an account that is stored under its sub is found, and gets the id of Microsoft Graph', async () => {
  const { store, logIn, subjects, request, idToken } = await start()
  const ada = await store(SUB)
  const replies = await Promise.all(
    Array.from({ length: 8 }, async (_, i) =>
      request.post('microsoft/', { id_token: await idToken({}) }, fromClient(i)),
    ),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await subjects()).toEqual([OID])
  expect(await logIn({ sub: 'the sub of another application' })).toMatchObject({ pk: ada.id })
})

test('if both are stored, the id of Microsoft Graph counts, and the other stays', async () => {
  const { store, logIn, subjects } = await start()
  await store(SUB, 'stranger')
  const ada = await store(OID)
  expect(await logIn()).toMatchObject({ pk: ada.id })
  expect(await subjects()).toEqual([SUB, OID])
})

test.runIf(onPostgres)('an id that is stored at the same moment counts', async () => {
  const auth = await start({}, { shared: true })
  const { store, createUser, logIn, subjects } = auth
  await store(SUB, 'stranger')
  const ada = await createUser({ username: 'ada' })
  const beside = await connectBeside(auth)
  await beside.query('begin')
  await beside.query(
    `insert into social_accounts (user_id, provider, issuer, subject, created_at, last_login_at)
     select ${ada.id}, provider, issuer, '${OID}', 0, 0 from social_accounts`,
  )
  const login = logIn()
  await waitForWaiter(beside, login)
  await beside.query('commit')
  expect(await login).toMatchObject({ pk: ada.id })
  expect(await subjects()).toEqual([SUB, OID])
})

test('an account that is stored under its sub cannot be connected to another user', async () => {
  const { store, createUserWithToken, request, idToken, subjects } = await start()
  await store(SUB)
  const token = await createUserWithToken('bob')
  const body = { id_token: await idToken({}) }
  expect(await request.post('microsoft/connect/', body, { token })).toMatchReply(400, OF_ANOTHER)
  expect(await subjects()).toEqual([OID])
})

test.each([
  ['no oid', undefined],
  ['an oid that is none', 'x'],
])('a token with %s is known by its sub', async (_, oid) => {
  const { logIn, subjects } = await start()
  await logIn({ oid })
  expect(await subjects()).toEqual([SUB])
})

test('a profile endpoint, which does not know the oid, agrees by the sub', async () => {
  const provider = await startHostileProvider()
  const { request, idToken, subjects } = await start({
    PROFILE_URL: `${provider.url}/userinfo`,
    ACCESS_TOKEN_URL: `${provider.url}/token`,
  })
  const logIn = async (sub: string) => {
    provider.giveForCode({ access_token: 'at', id_token: await idToken({}) })
    provider.answer('/userinfo', { sub })
    return request.post('microsoft/', { code: sub })
  }
  expect((await logIn('somebody else')).status).toBe(400)
  expect((await logIn(SUB)).status).toBe(200)
  expect(await subjects()).toEqual([OID])
})

test.each([
  [true, 'ada@example.com'],
  ['true', 'ada@example.com'],
  ['1', 'ada@example.com'],
  [false, ''],
  ['false', ''],
  ['0', ''],
  [undefined, ''],
])('xms_edov: %j vouches for the address, or not', async (xms_edov, email) => {
  const { logIn } = await start()
  const claims = { email: 'ada@example.com', email_verified: true, xms_edov }
  expect(await logIn(claims)).toMatchObject({ email })
})
