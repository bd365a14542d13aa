const PATIENCE_MS = 30_000

/** A client with its own address, as the trusted proxy reports it. */
export function clientAt(url, address) {
  async function ask(method, path, body, headers = {}) {
    const startedAt = performance.now()
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-forwarded-for': address, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    const ms = performance.now() - startedAt
    return { status: reply.status, body: isJson ? JSON.parse(text) : text, ms }
  }

  const as = (token) => (token ? { authorization: `Token ${token}` } : {})
  return {
    get: (path, token) => ask('GET', path, undefined, as(token)),
    post: (path, body, token) => ask('POST', path, body, as(token)),
    /** The header has further entries before that of the proxy, which is the last one. */
    postForwarded: (path, body, forged) =>
      ask('POST', path, body, { 'x-forwarded-for': `${forged}, ${address}` }),
  }
}

let last = 0
/** An address that no client has used yet. */
export const newAddress = () => {
  last += 1
  return `10.0.${last >> 8}.${last & 255}`
}

export const signup = (username, password = 'correct horse battery staple') => ({
  username,
  email: `${username}@example.com`,
  password1: password,
  password2: password,
})
