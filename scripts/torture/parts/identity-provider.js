import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { startHttpServer } from './http-server.js'

const KEY_ID = 'torture'
const CLIENT_ID = 'latchkey'
const LIFETIME_S = 3600

/**
 * An OpenID provider whose codes contain the name of the user, and work any number of times. With `url` it is reached
 * at another address.
 */
export async function startIdentityProvider({ now = Date.now, url } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { port, stop } = await startHttpServer(async (request, response) => {
    const body = answers[request.url]?.(await textOf(request)) ?? null
    response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
  })
  const issuer = url ?? `http://127.0.0.1:${port}`

  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/jwks': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' }],
    }),
    '/token': (form) => {
      const claims = claimsIn(new URLSearchParams(form).get('code'))
      if (!claims) return null
      return { token_type: 'Bearer', access_token: randomUUID(), id_token: idToken(claims) }
    },
  }

  function idToken(claims) {
    const iat = Math.floor(now() / 1000)
    const times = { iat, exp: iat + LIFETIME_S }
    const payload = { iss: issuer, aud: CLIENT_ID, jti: randomUUID(), ...times, ...claims }
    const header = { alg: 'ES256', typ: 'JWT', kid: KEY_ID }
    const signed = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(payload))}`
    const signature = sign('sha256', Buffer.from(signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${signed}.${base64url(signature)}`
  }

  return {
    port,
    /** The setting `SOCIALACCOUNT.PROVIDERS`: the provider is called acme. */
    setting: JSON.stringify({
      openid_connect: {
        APPS: [
          {
            ...{ provider_id: 'acme', name: 'Acme', client_id: CLIENT_ID, secret: 'a secret' },
            settings: { server_url: issuer },
          },
        ],
      },
    }),
    /** No two codes are equal. */
    codeOf: (sub, more = {}) => base64url(JSON.stringify({ sub, ...more, nonce_: randomUUID() })),
    stop,
  }
}

async function textOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Null for a code that is not ours. */
function claimsIn(code) {
  try {
    const claims = JSON.parse(Buffer.from(code, 'base64url'))
    return typeof claims.sub === 'string' ? claims : null
  } catch {
    return null
  }
}

const base64url = (text) => Buffer.from(text).toString('base64url')
