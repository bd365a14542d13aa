import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { type Heard, sendJson, startLoopbackServer } from '../../support/loopback-server.ts'
import { startAuth } from '../../support/start-auth.ts'

const INCORRECT = { non_field_errors: ['Incorrect value'] }
const NOTHING = { non_field_errors: ['Incorrect input. access_token or code is required.'] }
const APP = { client_id: 'our-app', secret: 'our-secret' }

type Routes = Record<string, (heard: Heard) => unknown>

/** A provider with recorded answers of the real one. Null is a 404. */
async function startFake(routes: Routes) {
  return startLoopbackServer((heard, response: ServerResponse) => {
    const answer = routes[`${heard.method} ${heard.path}`]?.(heard) ?? null
    sendJson(response, answer ?? { message: 'Not Found' }, answer === null ? 404 : 200)
  })
}

async function startWith(name: string, block: object) {
  const auth = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { [name]: { APP, ...block } } } })
  const details = async (key: unknown) =>
    (await auth.request.get('user/', { token: (key as { key: string }).key })).body
  const accounts = () =>
    auth.db.selectFrom('social_accounts').select(['provider', 'issuer', 'subject']).execute()
  return { ...auth, details, accounts }
}

const basic = `Basic ${btoa('our-app:our-secret')}`
const isBearer = ({ headers }: Heard, token: string) => headers.authorization === `Bearer ${token}`

async function startGitHub() {
  return startFake({
    'POST /api/v3/applications/our-app/token': ({ headers, body }) => {
      const { access_token } = JSON.parse(body)
      if (headers.authorization !== basic || access_token !== 'gho_ada') return null
      return {
        id: 1,
        app: { name: 'App', client_id: 'our-app' },
        user: { id: 583231, login: 'ada' },
      }
    },
    'GET /api/v3/user': (heard) =>
      isBearer(heard, 'gho_ada')
        ? { login: 'ada', id: 583231, name: 'Ada Lovelace', email: 'shown@example.com' }
        : null,
    'GET /api/v3/user/emails': () => [
      { email: 'old@example.com', primary: false, verified: true, visibility: null },
      { email: 'ada@example.com', primary: true, verified: true, visibility: 'private' },
    ],
    'POST /login/oauth/access_token': ({ body }) =>
      new URLSearchParams(body).get('client_secret') === 'our-secret'
        ? { access_token: 'gho_ada', scope: 'user:email', token_type: 'bearer' }
        : { error: 'incorrect_client_credentials' },
  })
}

test('GitHub: an access token that check-token knows, and the verified primary address', async () => {
  const server = await startGitHub()
  const { request, details, accounts } = await startWith('github', { GITHUB_URL: server.url })
  const reply = await request.post('github/', { access_token: 'gho_ada' })
  expect(await details(reply.body)).toMatchObject({
    username: 'ada',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  expect(await accounts()).toEqual([{ provider: 'github', issuer: server.url, subject: '583231' }])
  expect(server.heard.every(({ headers }) => headers['user-agent'])).toBe(true)
  const another = await request.post('github/', { access_token: 'gho_of_another_app' })
  expect(another).toMatchReply(400, INCORRECT)
})

test('GitHub: a code, and nothing that looks like an ID token', async () => {
  const server = await startGitHub()
  const { request } = await startWith('github', { GITHUB_URL: server.url })
  expect(await request.post('github/', { code: 'abc' })).toMatchReply(200, KEY)
  expect(await request.post('github/', { id_token: 'a.b.c' })).toMatchReply(400, NOTHING)
})

async function startFacebook() {
  return startFake({
    'GET /debug_token': ({ query }) => {
      if (query.get('access_token') !== 'our-app|our-secret') return null
      const token = query.get('input_token')
      const isValid = token === 'EAA-ada' || token === 'EAA-foreign'
      const app_id = token === 'EAA-foreign' ? 'their-app' : 'our-app'
      return { data: { app_id, type: 'USER', is_valid: isValid, user_id: '10158', scopes: [] } }
    },
    'GET /me': ({ query }) => {
      const token = query.get('access_token') ?? ''
      const proof = createHmac('sha256', 'our-secret').update(token).digest('hex')
      if (token !== 'EAA-ada' || query.get('appsecret_proof') !== proof) return null
      expect(query.get('fields')).toContain('email')
      const name = { name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' }
      return { id: '10158', email: 'ada@example.com', ...name }
    },
  })
}

test('Facebook: an access token that debug_token knows; its address is not vouched for', async () => {
  const { url } = await startFacebook()
  const { request, details } = await startWith('facebook', {
    GRAPH_API_URL: url,
  })
  const reply = await request.post('facebook/', { access_token: 'EAA-ada' })
  expect(await details(reply.body)).toMatchObject({ username: 'AdaLovelace', email: '' })
  for (const access_token of ['EAA-foreign', 'EAA-void']) {
    expect(await request.post('facebook/', { access_token })).toMatchReply(400, INCORRECT)
  }
})

test('an access token of the second application is read in the name of the second', async () => {
  const { url } = await startFake({
    'GET /validate': () => ({ client_id: 'our-phone', login: 'ada', user_id: '141' }),
    'GET /users': ({ headers }) =>
      headers['client-id'] === 'our-phone' ? { data: [{ id: '141', login: 'ada' }] } : null,
  })
  const { request } = await startAuth({
    SOCIALACCOUNT: {
      PROVIDERS: {
        twitch: {
          APPS: [APP, { client_id: 'our-phone', secret: 'of the phone' }],
          TOKEN_CHECK_URL: `${url}/validate`,
          PROFILE_URL: `${url}/users`,
        },
      },
    },
  })
  expect(await request.post('twitch/', { access_token: 'mine' })).toMatchReply(200, KEY)
})

test('Google: an access token that tokeninfo knows, or an ID token in its place', async () => {
  const idp = await startHostileProvider()
  const { url } = await startFake({
    'GET /tokeninfo': ({ query }) =>
      query.get('access_token')?.startsWith('ya29.')
        ? { aud: query.get('access_token') === 'ya29.ada' ? 'our-app' : 'theirs', sub: '117' }
        : null,
    'GET /userinfo': (heard) =>
      isBearer(heard, 'ya29.ada')
        ? { sub: '117', email: 'ada@example.com', email_verified: true, given_name: 'Ada' }
        : null,
  })
  const { request, details, clock, accounts } = await startWith('google', {
    TOKEN_CHECK_URL: `${url}/tokeninfo`,
    PROFILE_URL: `${url}/userinfo`,
    JWKS_URL: `${idp.url}/keys`,
  })
  const reply = await request.post('google/', { access_token: 'ya29.ada' })
  expect(await details(reply.body)).toMatchObject({ email: 'ada@example.com', first_name: 'Ada' })
  const foreign = await request.post('google/', { access_token: 'ya29.foreign' })
  expect(foreign).toMatchReply(400, INCORRECT)

  for (const iss of ['https://accounts.google.com', 'accounts.google.com']) {
    const access_token = await idp.idToken(clock, { iss, aud: 'our-app', sub: '117' })
    expect((await request.post('google/', { access_token })).body).toEqual(reply.body)
  }
  expect(await accounts()).toEqual([
    { provider: 'google', issuer: 'https://accounts.google.com', subject: '117' },
  ])
})

test.each([
  [
    'discord',
    { application: { id: 'our-app' }, user: { id: '80351' } },
    { id: '80351', username: 'ada', global_name: 'Ada L', email: 'a@example.com', verified: true },
    '80351',
    'a@example.com',
  ],
  [
    'gitlab',
    { resource_owner_id: 7, application: { uid: 'our-app' } },
    { sub: '7', nickname: 'ada', email: 'a@example.com', email_verified: true },
    '7',
    'a@example.com',
  ],
  [
    'twitch',
    { client_id: 'our-app', login: 'ada', user_id: '141' },
    { data: [{ id: '141', login: 'ada', email: 'a@example.com' }] },
    '141',
    '',
  ],
  [
    'linkedin',
    { active: true, client_id: 'our-app', status: 'active' },
    { sub: '782', name: 'Ada L', email: 'a@example.com', email_verified: true },
    '782',
    'a@example.com',
  ],
])('%s: an access token, proved and read', async (name, check, profile, subject, email) => {
  let isOurs = true
  const answer = () => (isOurs ? check : JSON.parse(JSON.stringify(check).replace('our-app', 'no')))
  const { url } = await startFake({
    'GET /check': answer,
    'POST /check': answer,
    'GET /me': () => profile,
  })
  const { request, details, accounts } = await startWith(name, {
    TOKEN_CHECK_URL: `${url}/check`,
    PROFILE_URL: `${url}/me`,
  })
  const reply = await request.post(`${name}/`, { access_token: 'mine' })
  expect(await details(reply.body)).toMatchObject({ email })
  expect(await accounts()).toMatchObject([{ provider: name, subject }])
  isOurs = false
  expect(await request.post(`${name}/`, { access_token: 'x' })).toMatchReply(400, INCORRECT)
})

test.each([
  ['twitter', { data: { id: '22', username: 'ada', name: 'Ada L' } }, '22'],
  ['spotify', { id: 'ada-1815', display_name: 'ada', email: 'a@example.com' }, 'ada-1815'],
])('%s: a code only, since nobody can prove an access token', async (name, profile, subject) => {
  const { url, heard } = await startFake({
    'POST /token': ({ headers }) =>
      headers.authorization === basic ? { access_token: 'm' } : null,
    'GET /me': (one) => (isBearer(one, 'm') ? profile : null),
  })
  const { request, accounts } = await startWith(name, {
    ACCESS_TOKEN_URL: `${url}/token`,
    PROFILE_URL: `${url}/me`,
    CALLBACK_URL: 'https://app.example/',
  })
  expect(await request.post(`${name}/`, { access_token: 'm' })).toMatchReply(400, INCORRECT)
  expect(heard).toEqual([])
  expect(await request.post(`${name}/`, { code: 'c', code_verifier: 'v' })).toMatchReply(200, KEY)
  expect(await accounts()).toMatchObject([{ provider: name, subject }])
})

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'

test('Microsoft: ID tokens of the one tenant, whose addresses only xms_edov vouches for', async () => {
  const idp = await startHostileProvider()
  const { request, clock, details } = await startWith('microsoft', {
    TENANT,
    JWKS_URL: `${idp.url}/keys`,
  })
  const logIn = async (tenant: string, claims: object) =>
    request.post('microsoft/', {
      id_token: await idp.idToken(clock, {
        iss: `https://login.microsoftonline.com/${tenant}/v2.0`,
        aud: 'our-app',
        email: 'ceo@example.com',
        email_verified: true,
        ...claims,
      }),
    })
  const plain = await logIn(TENANT, { sub: 'a' })
  expect(await details(plain.body)).toMatchObject({ email: '' })
  const vouched = await logIn(TENANT, { sub: 'b', xms_edov: true })
  expect(await details(vouched.body)).toMatchObject({ email: 'ceo@example.com' })
  for (const tenant of ['common', TENANT.replace('7', '8'), '{tenantid}']) {
    expect(await logIn(tenant, { sub: 'a' })).toMatchReply(400, INCORRECT)
  }
  const reply = await request.post('microsoft/', { access_token: 'opaque' })
  expect(reply).toMatchReply(400, INCORRECT)
})

test('Slack: people are known by their workspace and their id', async () => {
  const idp = await startHostileProvider()
  const JWKS_URL = `${idp.url}/keys`
  const { request, clock, accounts } = await startWith('slack', { JWKS_URL })
  const ids = { 'https://slack.com/team_id': 'T1', 'https://slack.com/user_id': 'U1' }
  const claims = { iss: 'https://slack.com', aud: 'our-app', sub: 'U1' }
  const logIn = async (more: object) =>
    request.post('slack/', { id_token: await idp.idToken(clock, { ...claims, ...more }) })
  expect(await logIn({})).toMatchReply(400, INCORRECT)
  expect(await logIn(ids)).toMatchReply(200, KEY)
  expect(await accounts()).toMatchObject([{ subject: 'T1_U1' }])
})
