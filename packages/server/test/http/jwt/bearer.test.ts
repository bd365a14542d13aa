import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { STRONG, twice } from '../../support/accounts.ts'
import {
  badBearer,
  bearer,
  claimsFor,
  forge,
  notValid,
  segment,
  startJwt,
} from '../../support/jwt.ts'
import { rsaKeyPair } from '../../support/rsa-keys.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'

type Started = Awaited<ReturnType<typeof startJwt>>

/** For requests that change nothing. */
const unmoved = await startJwt({}, { atTheEnd: afterAll })

test('an access token is a credential, with "Bearer" in upper or lower case', async () => {
  const { request, logIn } = await startJwt()
  const { access } = await logIn()
  for (const word of ['Bearer', 'bearer', 'BEARER']) {
    const reply = await request.get('user/', { headers: { authorization: `${word} ${access}` } })
    expect(reply.body).toMatchObject({ username: 'ada' })
  }
})

test.each(['Bearer', 'Bearer ', 'Bearer a b', 'bearer a b c'])(
  'the header %j has too few words, or too many',
  async (authorization) => {
    const reply = await unmoved.request.get('user/', { headers: { authorization } })
    expect(reply).toMatchReply(401, {
      detail: 'Authorization header must contain two space-delimited values',
      code: 'bad_authorization_header',
    })
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="api"')
  },
)

test('an access token expires to the second', async () => {
  const { logIn, getUser, clock } = await startJwt()
  const { access } = await logIn()
  clock.advance(300_000 - 1)
  expect((await getUser(access)).status).toBe(200)
  clock.advance(1)
  expect(await getUser(access)).toMatchReply(...badBearer('Token is expired'))
})

test('within the leeway an expired token is still good', async () => {
  const { logIn, getUser, clock } = await startJwt({ SIMPLE_JWT: { LEEWAY: 10 } })
  const { access } = await logIn()
  clock.advance(310_000 - 1)
  expect((await getUser(access)).status).toBe(200)
  clock.advance(1)
  expect(await getUser(access)).toMatchReply(...badBearer('Token is expired'))
})

test('a refresh token is not a credential', async () => {
  const { logIn, getUser } = await startJwt()
  const { refresh } = await logIn()
  expect(await getUser(refresh)).toMatchReply(...badBearer('Token has wrong type'))
})

test('a token in a query or a body is not looked at', async () => {
  const { request, logIn } = await startJwt()
  const { access } = await logIn()
  const none = { detail: 'Authentication credentials were not provided.' }
  expect(await request.get(`user/?access_token=${access}`)).toMatchReply(401, none)
  expect(await request.patch('user/', { access, access_token: access })).toMatchReply(401, none)
})

test('a token that another service made with the same key is valid', async () => {
  const started = await startJwt()
  const { getUser, ada } = started
  for (const id of [ada.id, String(ada.id)]) {
    expect((await getUser(forge(claimsFor(started, id)))).status).toBe(200)
  }
})

test('issuer and audience are asked for where they are set', async () => {
  const started = await startJwt({ SIMPLE_JWT: { ISSUER: 'us', AUDIENCE: 'them' } })
  const { getUser, ada } = started
  const withClaims = (changes: object) => getUser(forge(claimsFor(started, ada.id, changes)))
  expect((await withClaims({ iss: 'us', aud: ['others', 'them'] })).status).toBe(200)
  for (const wrong of [{}, { iss: 'us' }, { aud: 'them' }, { iss: ['us'], aud: 'them' }]) {
    expect(await withClaims(wrong)).toMatchReply(...badBearer('Token is invalid'))
  }
})

const HS256 = { alg: 'HS256', typ: 'JWT' }
const future = ({ clock }: Started, seconds: number) => Math.floor(clock.now() / 1000) + seconds

const wrongClaims: Record<string, (started: Started) => object> = {
  'no expiry': () => ({ exp: undefined }),
  'an expiry that is text': (s) => ({ exp: String(future(s, 300)) }),
  'an expiry that is null': () => ({ exp: null }),
  'an expiry beyond all dates': () => ({ exp: 1e300 }),
  'an iat in the future': (s) => ({ iat: future(s, 60) }),
  'a negative iat': () => ({ iat: -1 }),
  'an iat that is text': () => ({ iat: 'now' }),
  'an nbf in the future': (s) => ({ nbf: future(s, 1) }),
  'an nbf that is an object': () => ({ nbf: {} }),
  'no type': () => ({ token_type: undefined }),
  'a list of types': () => ({ token_type: ['access'] }),
  'a type that is a number': () => ({ token_type: 1 }),
  'no jti': () => ({ jti: undefined }),
  'a jti that is a number': () => ({ jti: 1 }),
  'an empty jti': () => ({ jti: '' }),
  'no user': () => ({ user_id: undefined }),
  'a list of users': () => ({ user_id: [1] }),
  'a user that is a query': () => ({ user_id: { $gt: 0 } }),
  'a user that is SQL': () => ({ user_id: '1 OR 1=1' }),
  'a user with a fraction': () => ({ user_id: 1.5 }),
  'a user that no database holds': () => ({ user_id: '99999999999999999999' }),
  'a user beyond the integers of a database': () => ({ user_id: 2 ** 31 }),
  'a login that is a number': () => ({ sid: 1 }),
  'a login that is text': () => ({ sid: 'x' }),
  'a login beyond the exact numbers': () => ({ sid: String(2n ** 53n) }),
  'a login that no database holds': () => ({ sid: '99999999999999999999' }),
  'a login that is null': () => ({ sid: null }),
}

test.each(Object.keys(wrongClaims))('a token with %s is invalid', async (name) => {
  const { getUser, request, ada } = unmoved
  const token = forge(claimsFor(unmoved, ada.id, wrongClaims[name]?.(unmoved)))
  expect(await getUser(token)).toMatchReply(...badBearer('Token is invalid'))
  expect(await request.post('token/verify/', { token })).toMatchReply(
    ...notValid('Token is invalid'),
  )
})

test('a clock one second ahead, the last of all dates and a name for the secret are fine', async () => {
  const { getUser, ada } = unmoved
  for (const changes of [{ iat: future(unmoved, 1) }, { exp: 8.64e12 }]) {
    expect((await getUser(forge(claimsFor(unmoved, ada.id, changes)))).status).toBe(200)
  }
  const named = forge(claimsFor(unmoved, ada.id), { ...HS256, kid: 'any' })
  expect((await getUser(named)).status).toBe(200)
})

test('a type of its own is the wrong type', async () => {
  const started = await startJwt()
  const token = forge(claimsFor(started, started.ada.id, { token_type: 'sliding' }))
  expect(await started.getUser(token)).toMatchReply(...badBearer('Token has wrong type'))
  expect(await started.request.post('token/verify/', { token })).toMatchReply(
    ...notValid('Token is invalid'),
  )
})

const rsa = rsaKeyPair()
const jwk = rsa.publicKey.export({ format: 'jwk' })

const signedAs = (claims: object, header: object, hash = 'sha256', key = SECRET_KEY) => {
  const data = `${segment(header)}.${segment(claims)}`
  return `${data}.${createHmac(hash, key).update(data).digest('base64url')}`
}

const forgeries: Record<string, (claims: object, good: string) => string> = {
  'no algorithm': (claims) => `${segment({ alg: 'none' })}.${segment(claims)}.`,
  'no algorithm, spelled otherwise': (claims) => `${segment({ alg: 'nOnE' })}.${segment(claims)}.`,
  'no algorithm, and our signature': (claims) => forge(claims, { alg: 'none', typ: 'JWT' }),
  'no alg at all': (claims) => forge(claims, { typ: 'JWT' }),
  'a list of algorithms': (claims) => forge(claims, { alg: ['HS256'] }),
  'HS384 with our secret': (claims) => signedAs(claims, { alg: 'HS384' }, 'sha384'),
  'HS512 with our secret': (claims) => signedAs(claims, { alg: 'HS512' }, 'sha512'),
  'HS512 in the header only': (claims) => forge(claims, { alg: 'HS512' }),
  'RS256 in the header only': (claims) => forge(claims, { alg: 'RS256' }),
  'another secret': (claims) => signedAs(claims, HS256, 'sha256', 'another secret'),
  'an empty secret': (claims) => signedAs(claims, HS256, 'sha256', ''),
  'a key inside the header': (claims) =>
    signedAs(claims, { ...HS256, jwk: { kty: 'oct', k: segment('mine') } }, 'sha256', 'mine'),
  'a public key inside the header': (claims) => forge(claims, { ...HS256, alg: 'RS256', jwk }),
  'the address of a key': (claims) =>
    signedAs(
      claims,
      { ...HS256, jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/' },
      'sha256',
      '',
    ),
  'a certificate inside the header': (claims) =>
    signedAs(claims, { ...HS256, x5c: ['AAAA'] }, 'sha256', 'AAAA'),
  'the path of an empty file for a kid': (claims) =>
    signedAs(claims, { ...HS256, kid: '../../../dev/null' }, 'sha256', ''),
  'SQL for a kid': (claims) =>
    signedAs(claims, { ...HS256, kid: "x' UNION SELECT 'mine" }, 'sha256', 'mine'),
  'a list for a kid': (claims) => forge(claims, { ...HS256, kid: ['a'] }),
  'null for a kid': (claims) => forge(claims, { ...HS256, kid: null }),
  'an unknown crit': (claims) => forge(claims, { ...HS256, crit: ['exp'], exp: 1 }),
  'an empty crit': (claims) => forge(claims, { ...HS256, crit: [] }),
  'b64 made critical': (claims) => forge(claims, { ...HS256, crit: ['b64'], b64: false }),
  'another typ': (claims) => forge(claims, { ...HS256, typ: 'JWE' }),
  'a header that is a list': (claims) => forge(claims, [HS256]),
  'a header that is no JSON': (claims) => forge(claims, 'HS256'),
  'alg twice': (claims) => forge(claims, '{"alg":"none","alg":"HS256"}'),
  'a claim twice': (claims) =>
    forge(JSON.stringify(claims).replace('{', '{"token_type":"refresh",')),
  'a claim twice, once escaped': (claims) =>
    forge(JSON.stringify(claims).replace('{', '{"\\u0065xp":1,')),
  'a payload that is text': () => forge('text'),
  'a payload that is a list': (claims) => forge([claims]),
  'a payload that is null': () => forge('null'),
  'a nested token': (_, good) => forge(good, { ...HS256, cty: 'JWT' }),
  'a byte order mark': (claims) => forge(`\uFEFF${JSON.stringify(claims)}`),
  'an expiry of 1e400': (claims) =>
    forge(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400')),
  'a user of 1e309': (claims) =>
    forge(JSON.stringify(claims).replace(/"user_id":\d+/, '"user_id":1e309')),
  'a deep payload': () => forge(`${'['.repeat(2000)}${']'.repeat(2000)}`),
  padding: (_, good) => `${good}=`,
  'the other alphabet': (_, good) => good.replaceAll('-', '+').replaceAll('_', '/').concat('/'),
  'stray bits at the end': (_, good) => good.slice(0, -1) + strayBits(good.slice(-1)),
  'a line break': (_, good) => good.replace('.', '.\n'),
  'a fourth segment': (_, good) => `${good}.`,
  'five segments': (_, good) => `${good}.a.b`,
  'no signature': (_, good) => good.slice(0, good.lastIndexOf('.') + 1),
  'no signature and no dot': (_, good) => good.slice(0, good.lastIndexOf('.')),
  'half a signature': (_, good) => good.slice(0, -20),
  'another payload': (claims, good) => {
    const [header, , signature] = good.split('.')
    return `${header}.${segment({ ...claims, user_id: 2 })}.${signature}`
  },
  'JSON serialisation': (_, good) => {
    const [header, payload, signature] = good.split('.')
    return JSON.stringify({ protected: header, payload, signature })
  },
  dots: () => '.'.repeat(5000),
  'two dots': () => '..',
  'nothing but a word': () => 'bad',
  'more than 8 KB': (claims) => forge({ ...claims, more: 'x'.repeat(9000) }),
}

const strayBits = (last: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // 32 bytes leave two bits unused in the last character.
  return alphabet[alphabet.indexOf(last) + 1]
}

const TOO_LONG = 'Ensure this field has no more than 4096 characters.'

test.each(Object.keys(forgeries))('a forgery is refused everywhere: %s', async (name) => {
  const { request, getUser, refresh, ada } = unmoved
  const claims = claimsFor(unmoved, ada.id)
  const good = forge(claims)
  expect((await getUser(good)).status).toBe(200)

  const token = forgeries[name]?.(claims, good) ?? ''
  const isTooLong = token.length > 4096
  const refused = (field: string): readonly [number, object] =>
    isTooLong ? [400, { [field]: [TOO_LONG] }] : notValid('Token is invalid')
  expect(await request.post('token/verify/', { token })).toMatchReply(...refused('token'))
  expect(await refresh(token)).toMatchReply(...refused('refresh'))
  const loggedOut = await request.post('logout/', { refresh: token })
  if (isTooLong) expect(loggedOut).toMatchReply(...refused('refresh'))
  else expect(loggedOut).toMatchReply(401, { detail: 'Token is invalid' })
  if (/[\s]/.test(token)) return
  expect(await getUser(token)).toMatchReply(...badBearer('Token is invalid'))
})

test('endpoints that need no login do not mind a bad token that comes along', async () => {
  const { request, logIn } = await startJwt()
  const { refresh } = await logIn()
  const reply = await request.post('token/refresh/', { refresh }, bearer('bad'))
  expect(reply.status).toBe(200)
  expect((await request.post('token/verify/', { token: refresh }, bearer('bad'))).status).toBe(200)
})

test('a token of another service ends with the request that changes the password', async () => {
  const started = await startJwt()
  const { clock, request, getUser, ada, logIn, refresh } = started
  const foreign = forge(claimsFor(started, ada.id))
  const own = await logIn()
  clock.advance(1000)
  const changed = await request.post('password/change/', twice(STRONG), bearer(foreign))
  expect(changed).toMatchReply(200, { detail: 'New password has been saved.' })
  expect(await getUser(foreign)).toMatchReply(...badBearer('Token is invalid'))
  // It names no login, so none of this user can be the one in use.
  expect((await getUser(own.access)).status).toBe(401)
  expect((await refresh(own.refresh)).status).toBe(401)
  clock.advance(1000)
  expect((await getUser(forge(claimsFor(started, ada.id)))).status).toBe(200)
})
