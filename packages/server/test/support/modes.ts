import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { CallOptions, Client, Reply } from './client.ts'
import { COOKIES } from './jwt.ts'
import { PASSWORD, startAuth } from './start-auth.ts'

/** What a client brings with its requests. */
export type Mode = 'token' | 'session' | 'bearer' | 'cookie'

const REST_AUTH = {
  token: { SESSION_LOGIN: false },
  session: { TOKEN_MODEL: null },
  bearer: { USE_JWT: true },
  cookie: { USE_JWT: true, JWT_AUTH_COOKIE_USE_CSRF: true, ...COOKIES },
} as const

export const modes = Object.keys(REST_AUTH) as Mode[]

export type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof startMode>>['logIn']>>

/** A service whose logins give credentials of one kind, with a user who is called Ada. */
export async function startMode(
  mode: Mode,
  input: UncheckedSettings = {},
  options: Parameters<typeof startAuth>[1] = {},
) {
  const started = await startAuth(
    { ...input, REST_AUTH: { ...REST_AUTH[mode], ...input.REST_AUTH } },
    options,
  )
  if (!options.beside) {
    await started.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  }

  /** Logs somebody in, in a browser of their own. */
  async function logIn(username = 'ada', call: CallOptions = {}) {
    const browser = started.newBrowser()
    const reply = await browser.post('login/', { username, password: PASSWORD }, call)
    return { reply, browser, ...callerOf(browser, reply) }
  }

  return { ...started, mode, logIn, callerOf }
}

/** Calls with what a login answer gave. */
export function callerOf(browser: Client, { body }: Reply) {
  const { key, access } = (body ?? {}) as { key?: string; access?: string }
  const authorization = key ? `Token ${key}` : access ? `Bearer ${access}` : undefined

  const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: object) =>
    browser.call(method, path, sent, {
      headers: {
        'x-csrftoken': browser.cookie('csrftoken'),
        ...(authorization && !browser.cookie('jwt-auth') && { authorization }),
      },
    })

  return {
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, sent: object = {}) => call('POST', path, sent),
    delete: (path: string) => call('DELETE', path),
  }
}
