import { createHmac } from 'node:crypto'

/** The requests of a front end, with what it holds in its hands. */
export function frontEnd(origin) {
  const ask = async (method, path, body, held = {}) => {
    const reply = await fetch(new URL(path, `${origin}/auth/`), {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headersOf(held) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    return {
      status: reply.status,
      by: reply.headers.get('x-answered-by'),
      body: isJson ? JSON.parse(text) : text,
      cookies: Object.fromEntries(
        reply.headers.getSetCookie().map((line) => line.split(';')[0].trim().split('=')),
      ),
    }
  }
  return {
    get: (path, held) => ask('GET', path, undefined, held),
    post: (path, body, held) => ask('POST', path, body, held),
    register: (username, password) =>
      ask('POST', 'registration/', {
        username,
        email: `${username}@example.com`,
        password1: password,
        password2: password,
      }),
    login: (name, password) =>
      ask('POST', 'login/', { [name.includes('@') ? 'email' : 'username']: name, password }),
    changePassword: (password, held) =>
      ask('POST', 'password/change/', { new_password1: password, new_password2: password }, held),
  }
}

const headersOf = ({ token, access, cookies }) => ({
  ...(token && { authorization: `Token ${token}` }),
  ...(access && { authorization: `Bearer ${access}` }),
  ...(cookies && {
    cookie: Object.entries(cookies)
      .map((pair) => pair.join('='))
      .join('; '),
    ...(cookies.csrftoken && { 'x-csrftoken': cookies.csrftoken }),
  }),
})

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What an authenticator app shows now (RFC 6238). */
export function codeOf(secret) {
  const bits = [...secret].map((one) => BASE32.indexOf(one).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(step).digest()
  const number = hash.readUInt32BE(hash[19] & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
