// `POST token/verify/` with access tokens against a bare node:http server doing the same check.
//
// The service remembers good signatures, the bare server does not. So it is measured twice: with one
// token that is sent again and again, and with so many that none is remembered until it is sent again.
import { createHmac, randomUUID } from 'node:crypto'
import { compare } from './compare.js'

const SECRET_KEY = 'a key that only the benchmark ever uses'
const TOKENS = 8192

const settings = { REST_AUTH_USE_JWT: 'true', SECRET_KEY }
const bare = './bare-token-verify.js'
const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
const body = (token) => JSON.stringify({ token })

await compare({
  title: 'token/verify/, one token',
  goal: 0.5,
  settings,
  bare,
  requests({ access }, service, other) {
    const request = { ...post, bodies: [body(access)] }
    return {
      latchkey: { ...request, url: `${service}token/verify/` },
      bare: { ...request, url: other },
    }
  },
})

await compare({
  title: `token/verify/, ${TOKENS} tokens`,
  settings,
  bare,
  requests(_login, service, other) {
    const bodies = Array.from({ length: TOKENS }, () => body(newToken()))
    const request = { ...post, bodies }
    return {
      latchkey: { ...request, url: `${service}token/verify/` },
      bare: { ...request, url: other },
    }
  },
})

function newToken() {
  const now = Math.floor(Date.now() / 1000)
  const claims = { token_type: 'access', exp: now + 3600, iat: now, user_id: '1', sid: '1' }
  const data = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, jti: randomUUID() })}`
  return `${data}.${createHmac('sha256', SECRET_KEY).update(data).digest('base64url')}`
}

function encode(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
