import type { ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { AtTheEnd } from './database-folder.ts'
import { type Heard, sendJson, startLoopbackServer } from './loopback-server.ts'
import type { StillClock } from './start-auth.ts'

export const CLIENT_ID = 'the-client'
export const CLIENT_SECRET = 'the secret of the client'
export const CALLBACK = 'https://app.example/callback'

type SigningKey = Awaited<ReturnType<typeof newKey>>
type Forgery = { header?: Partial<JWTHeaderParameters>; key?: SigningKey }

export async function newKey(kid: string, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** An OpenID provider whose answers the test chooses. */
export async function startHostileProvider(atTheEnd?: AtTheEnd) {
  const key = await newKey('first')
  /** The answers by path. A function can also hang or break the connection. */
  const answers = new Map<string, unknown>()
  const server = await startLoopbackServer((heard, response) => {
    const answer = answers.get(heard.path)
    if (typeof answer === 'function') answer(response, heard)
    else sendJson(response, answer ?? { error: 'not_found' }, answer === undefined ? 404 : 200)
  }, atTheEnd)
  const { url } = server
  answers.set('/.well-known/openid-configuration', {
    issuer: url,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    userinfo_endpoint: `${url}/userinfo`,
    introspection_endpoint: `${url}/introspection`,
  })
  answers.set('/keys', { keys: [key.jwk] })
  answers.set('/introspection', { active: false })

  async function idToken(clock: StillClock, claims: object = {}, forgery: Forgery = {}) {
    const signer = forgery.key ?? key
    const now = Math.floor(clock.now() / 1000)
    const defaults = { iss: url, aud: CLIENT_ID, sub: 'ada-elsewhere', iat: now, exp: now + 300 }
    const payload = { ...defaults, jti: String(Math.random()), ...claims }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...forgery.header })
      .sign(signer.privateKey)
  }

  return {
    ...server,
    key,
    idToken,
    answer: (path: string, answer: unknown) => answers.set(path, answer),
    answered: (path: string): unknown => answers.get(path),

    /** The answer of its token endpoint for any code. */
    giveForCode: (tokens: Record<string, unknown>) =>
      answers.set('/token', { token_type: 'Bearer', ...tokens }),

    /** An access token that it made for this client, and its user. */
    knowAccessToken(token: string, { client_id = CLIENT_ID, ...owner }: Record<string, unknown>) {
      answers.set('/introspection', (response: ServerResponse, { body }: Heard) => {
        const isIt = new URLSearchParams(body).get('token') === token
        sendJson(response, isIt ? { active: true, client_id, sub: owner.sub } : { active: false })
      })
      answers.set('/userinfo', (response: ServerResponse, { headers }: Heard) => {
        const isIt = headers.authorization === `Bearer ${token}`
        sendJson(response, isIt ? owner : { error: 'invalid_token' }, isIt ? 200 : 401)
      })
    },

    /** The settings with which users can log in with it, under `idp/`. */
    settings(more: Record<string, unknown> = {}): UncheckedSettings {
      const { EMAIL_AUTHENTICATION, ...options } = more
      return {
        SOCIALACCOUNT: {
          ...(EMAIL_AUTHENTICATION !== undefined && { EMAIL_AUTHENTICATION }),
          PROVIDERS: {
            openid_connect: {
              CALLBACK_URL: CALLBACK,
              ...options,
              APPS: [
                {
                  provider_id: 'idp',
                  name: 'The other one',
                  client_id: CLIENT_ID,
                  secret: CLIENT_SECRET,
                  settings: { server_url: url },
                },
              ],
            },
          },
        },
      }
    },
  }
}
