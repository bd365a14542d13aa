import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { configureProviders } from '../../src/features/social/configuration/configure-providers.ts'
import { SettingsError } from '../../src/kernel/settings-error.ts'

const APP = { client_id: 'id', secret: 'a secret that must not be shown' }
const TENANT = '11111111-2222-3333-4444-555555555555'
const issuer = (more: object = {}) => ({
  ...APP,
  provider_id: 'idp',
  settings: { server_url: 'https://idp.example' },
  ...more,
})
const issuers = (...APPS: object[]) => ({ openid_connect: { APPS } })

function mistakesIn(blocks: Record<string, Record<string, unknown>>): readonly string[] {
  try {
    configureProviders(blocks)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

test('nothing configured is nothing wrong', () => {
  expect(configureProviders({})).toEqual([])
})

test.each([
  ['an unknown provider', { gogle: { APP } }, 'gogle: no such provider; there are apple, '],
  ['no application', { google: {} }, 'google.APP: expected an object with client_id and secret'],
  ['an empty list of them', { google: { APPS: [] } }, 'google.APP: expected'],
  ['both APP and APPS', { google: { APP, APPS: [APP] } }, 'google: has both APP and APPS'],
  ['no client_id', { google: { APP: { secret: 's' } } }, 'google.APP.client_id: must be given'],
  [
    'an empty client_id',
    { google: { APP: { ...APP, client_id: ' ' } } },
    'APP.client_id: expected',
  ],
  [
    'a client_id that is none',
    { google: { APP: { ...APP, client_id: 7 } } },
    'client_id: expected',
  ],
  ['no secret', { google: { APP: { client_id: 'x' } } }, 'google.APP.secret: must be given'],
  [
    'a secret that the environment does not have',
    { google: { APP: { ...APP, secret: undefined } } },
    'google.APP.secret: must be given',
  ],
  ['an empty secret', { github: { APP: { ...APP, secret: '' } } }, 'github.APP.secret: must be'],
  ['a slip of the pen', { google: { APP: { ...APP, clientid: 'x' } } }, 'CLIENTID: no such key'],
  ['an unknown option', { google: { APP, SCOPES: [] } }, 'google.SCOPES: no such key; there are'],
  [
    'plain http',
    { github: { APP, GITHUB_URL: 'http://github.example' } },
    'GITHUB_URL: expected an',
  ],
  ['another scheme', { google: { APP, JWKS_URL: 'file:///etc/passwd' } }, 'JWKS_URL: expected an'],
  ['a password in a URL', { google: { APP, JWKS_URL: 'https://a:b@c.example' } }, 'JWKS_URL: exp'],
  ['a callback that is none', { google: { APP, CALLBACK_URL: ['/cb'] } }, 'CALLBACK_URL: expected'],
  ['no tenant', { microsoft: { APP } }, 'microsoft.TENANT: must be given: the id of one tenant'],
  ['any tenant', { microsoft: { APP, TENANT: 'common' } }, 'microsoft.TENANT: expected the id of'],
  [
    'a key for Apple that is none',
    { apple: { APP: { ...APP, key: 'T' } } },
    'certificate_key: must',
  ],
  ['no team for Apple', { apple: { APP } }, 'apple.APP.key: must be given: the id of your team'],
  [
    'a tenant that only the second application has',
    {
      microsoft: {
        APPS: [
          { ...APP, TENANT: 'consumers' },
          { ...APP, TENANT },
        ],
      },
    },
    'microsoft.APPS.1.TENANT: belongs next to APPS; all applications of a provider share it',
  ],
  [
    'a scope in the settings of the second application',
    { google: { APPS: [APP, { ...APP, settings: { scope: ['email'] } }] } },
    'google.APPS.1.SCOPE: belongs next to APPS',
  ],
  ['no issuer', issuers({ ...issuer(), settings: {} }), 'APPS.0.SERVER_URL: must be given'],
  [
    'no path',
    issuers(issuer({ provider_id: undefined })),
    'APPS.0.provider_id: must be given; it is the path',
  ],
  ['a path of two words', issuers(issuer({ provider_id: 'a/b' })), 'provider_id: expected'],
  [
    'a path that is ours',
    issuers(issuer({ provider_id: 'login' })),
    'login is the path of something',
  ],
  ['the same path twice', issuers(issuer(), issuer()), 'idp is the path of two providers'],
  [
    'the path of another provider',
    { google: { APP }, ...issuers(issuer({ provider_id: 'Google' })) },
    'google is the path of two providers',
  ],
])('refused with one clear line: %s', (_, blocks, message) => {
  const mistakes = mistakesIn(blocks)
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toMatch(/^SOCIALACCOUNT\.PROVIDERS/)
  expect(mistakes[0]).toContain(message)
  expect(mistakes[0]).not.toContain(APP.secret)
})

test('all mistakes are reported together', () => {
  const mistakes = mistakesIn({
    google: { APP: {} },
    github: { APP, FOO: 1 },
    microsoft: { APP, TENANT: 'x' },
  })
  expect(mistakes).toHaveLength(3)
})

test('a config of allauth works unchanged', () => {
  const [google, facebook, gitlab, keycloak] = configureProviders({
    google: {
      APP: { ...APP, key: '' },
      SCOPE: ['profile', 'email'],
      AUTH_PARAMS: { access_type: 'online' },
      OAUTH_PKCE_ENABLED: true,
      FETCH_USERINFO: true,
    },
    facebook: { APP, METHOD: 'oauth2', FIELDS: ['id'], VERIFIED_EMAIL: false, VERSION: 'v13.0' },
    gitlab: { APPS: [{ ...APP, settings: { gitlab_url: 'https://git.example/' } }] },
    openid_connect: {
      OAUTH_PKCE_ENABLED: true,
      APPS: [
        issuer({
          name: 'Keycloak',
          settings: {
            server_url: 'https://kc.example/realms/a/.well-known/openid-configuration',
            token_auth_method: 'client_secret_post',
          },
        }),
      ],
    },
  })
  expect(google).toMatchObject({ name: 'google', scopes: ['profile', 'email'] })
  expect(facebook).toMatchObject({ isTrustedOnEmail: false })
  expect(gitlab?.site).toMatchObject({
    issuers: ['https://git.example'],
    endpoints: { token: 'https://git.example/oauth/token' },
  })
  expect(keycloak).toMatchObject({
    name: 'idp',
    title: 'Keycloak',
    clientAuth: 'client_secret_post',
    site: {
      issuers: ['https://kc.example/realms/a'],
      discovery: 'https://kc.example/realms/a/.well-known/openid-configuration',
    },
  })
})

test('endpoints are overridden by name, and only their hosts are ever called', () => {
  const [github] = configureProviders({
    github: {
      APP,
      ACCESS_TOKEN_URL: 'http://localhost:9/token',
      TOKEN_CHECK_URL: 'http://127.0.0.1:9/{client_id}/check',
      PROFILE_URL: 'http://[::1]:9/user',
      EMAILS_URL: 'https://api.example/emails',
      ALLOWED_HOSTS: ['more.example:8443'],
      CALLBACK_URL: 'https://app.example/cb',
    },
  })
  expect(github?.site.endpoints.tokenCheck).toBe('http://127.0.0.1:9/{client_id}/check')
  expect([...(github?.origins ?? [])].toSorted()).toEqual([
    'http://127.0.0.1:9',
    'http://[::1]:9',
    'http://localhost:9',
    'https://api.example',
    'https://more.example:8443',
  ])
  expect(github?.callbackUrls).toEqual(['https://app.example/cb'])
})

test('an option may stand with the provider, with its application, or in the settings of that', () => {
  const CALLBACK_URL = 'https://app.example/cb'
  for (const blocks of [
    { google: { APP, CALLBACK_URL } },
    { google: { APP: { ...APP, CALLBACK_URL } } },
    { google: { APP: { ...APP, settings: { callback_url: [CALLBACK_URL] } } } },
    { openid_connect: { CALLBACK_URL, APPS: [issuer()] } },
    issuers(issuer({ CALLBACK_URL })),
  ]) {
    expect(configureProviders(blocks)[0]?.callbackUrls).toEqual([CALLBACK_URL])
  }
})

test('several applications may repeat an option, and each says whether it is public', () => {
  const [google] = configureProviders({
    google: {
      APPS: [
        { ...APP, settings: { scope: ['email'], oauth_pkce_enabled: true } },
        { ...APP, client_id: 'phone', SCOPE: 'email' },
        { client_id: 'public', TOKEN_AUTH_METHOD: 'none' },
      ],
    },
  })
  expect(google).toMatchObject({ scopes: ['email'], apps: [{}, {}, { secret: '' }] })
})

test('a public client says so; Apple signs with its key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const [google, apple] = configureProviders({
    google: { APP: { client_id: 'x', settings: { token_auth_method: 'none' } } },
    apple: { APP: { client_id: 'x', secret: 'KEYID', key: 'TEAM', settings: { certificate_key } } },
  })
  expect(google).toMatchObject({ clientAuth: 'none', apps: [{ clientId: 'x', secret: '' }] })
  expect(apple?.apps[0].signingKey).toMatchObject({ keyId: 'KEYID', teamId: 'TEAM' })
})
