import { onTestFinished } from 'vitest'
import { freePort } from '../../../server/test/support/browser.ts'
import { PASSWORD, startAuth } from '../../../server/test/support/start-auth.ts'
import { type ClientOptions, createClient } from '../../src/index.ts'

export { PASSWORD }
export const ADA = { username: 'ada', password: PASSWORD }

export type Service = Awaited<ReturnType<typeof startService>>

/** The real service on a real port, with a user who is called Ada. */
export async function startService(settings: Parameters<typeof startAuth>[0] = {}) {
  const port = await freePort()
  const started = await startAuth({ PORT: port, ...settings })
  await started.app.listen({ host: 'localhost', port })
  const ada = await started.createUser({
    username: 'ada',
    email: 'ada@example.com',
    verified: true,
  })
  const origin = `http://localhost:${port}`
  const url = `${origin}/auth/`

  /** A client, and the requests that it has sent, in their order. */
  function newClient(options: Partial<ClientOptions> & Pick<ClientOptions, 'mode'>) {
    const sent: string[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      const { method, url: address } =
        input instanceof Request ? input : { method: 'GET', url: input, ...init }
      sent.push(`${method} ${String(address).replace(url, '')}`)
      return globalThis.fetch(input, init)
    }
    const client = createClient({ url, fetch, ...options })
    onTestFinished(() => client.close())
    return { client, sent, count: (call: string) => sent.filter((one) => one === call).length }
  }

  return { ...started, ada, origin, url, newClient }
}

/** Keeps cookies, as a browser does when an answer comes, and sends them below their paths. */
export function withCookies(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const jar = new Map<string, { pair: string; path: string }>()
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const sent = [...jar.values()].filter(({ path }) => pathname.startsWith(path))
    const headers = new Headers(init?.headers)
    headers.set('cookie', sent.map(({ pair }) => pair).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', name = ''] = /^([^=]+)=[^;]*/.exec(line) ?? []
      const [, path = '/'] = /; path=([^;]+)/i.exec(line) ?? []
      jar.set(name, { pair, path })
    }
    return response
  }
}

export const JWT = { REST_AUTH: { USE_JWT: true } }
export const ROTATING = {
  ...JWT,
  SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true, BLACKLIST_AFTER_ROTATION: true },
}
export const COOKIES = {
  ...ROTATING,
  REST_AUTH: { USE_JWT: true, JWT_AUTH_COOKIE: 'access', JWT_AUTH_REFRESH_COOKIE: 'refresh' },
}
export const SESSION = { REST_AUTH: { TOKEN_MODEL: null } }
/** Longer than an access token is good. */
export const LIFETIME = 5 * 60_000
