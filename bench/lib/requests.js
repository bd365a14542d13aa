// What is measured, as requests to the service. Each is `script(user)`: the function that makes the
// requests of one connection, which uses the credentials of that user.
import { jwtOf, keyOf, PASSWORD, sessionOf, usernameOf } from './people.js'

export const INTROSPECTION_KEY = 'another key that only the benchmark uses'

/** Every kind of credential is on, so that one service can be asked for everything. */
export const SETTINGS = {
  REST_AUTH_USE_JWT: 'true',
  REST_AUTH_SESSION_LOGIN: 'true',
  REST_AUTH_JWT_AUTH_HTTPONLY: 'false',
  SIMPLE_JWT_ROTATE_REFRESH_TOKENS: 'true',
  SIMPLE_JWT_BLACKLIST_AFTER_ROTATION: 'true',
  INTROSPECTION_KEY,
}

const again = (request) => () => request
const ofUser = (n) => (text) => text.includes(`"username":"${usernameOf(n)}"`)

const getUser = (n, headers) => again({ path: 'user/', headers, expects: ofUser(n) })

const verifying = (n) => ({
  method: 'POST',
  path: 'token/verify/',
  body: { token: jwtOf(n, 'access') },
  expects: (text) => text === '{}',
})

/** Sends each refresh token that it gets. */
function refreshing(n) {
  return (last) => {
    const refresh = last ? JSON.parse(last).refresh : jwtOf(n, 'refresh')
    const expects = (text) => {
      const answer = JSON.parse(text)
      return answer.access.length > 100 && answer.refresh !== refresh
    }
    return { method: 'POST', path: 'token/refresh/', body: { refresh }, expects }
  }
}

export const scripts = {
  userByToken: (n) => getUser(n, { authorization: `Token ${keyOf(n)}` }),
  userBySession: (n) => getUser(n, { cookie: `sessionid=${sessionOf(n)}` }),
  userByJwt: (n) => getUser(n, { authorization: `Bearer ${jwtOf(n, 'access')}` }),
  /** The same token all the time, as it comes from a client. */
  tokenVerify: (n) => again(verifying(n)),
  /** A token that nobody has seen before. */
  tokenVerifyNew: (n) => () => verifying(n),
  tokenRefresh: refreshing,
  introspect: (n) =>
    again({
      method: 'POST',
      path: 'introspect/',
      headers: { authorization: `Bearer ${INTROSPECTION_KEY}` },
      body: { token: keyOf(n) },
      expects: (text) => text.startsWith('{"active":true') && ofUser(n)(text),
    }),
  login: (n) =>
    again({
      method: 'POST',
      path: 'login/',
      body: { username: usernameOf(n), password: PASSWORD },
      expects: ofUser(n),
    }),
}
