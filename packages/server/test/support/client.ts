import { parseSetCookie, type SetCookie } from 'cookie'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { DocumentCheck } from './against-the-document.ts'

export type Reply = {
  status: number
  /** Undefined when the answer has none. */
  body: unknown
  headers: Record<string, string | string[] | number | undefined>
  /** The cookies that the answer sets or clears. */
  cookies: SetCookie[]
}

export type CallOptions = {
  token?: string
  cookies?: Record<string, string>
  headers?: Record<string, string>
  /** The `Content-Type` of a body that is sent unchanged. */
  type?: string
  from?: string
}

type Method = NonNullable<InjectOptions['method']>
type Body = InjectOptions['payload']

export type Client = ReturnType<typeof createClient>

/** Sends requests over HTTP. A client with a jar keeps cookies, like a browser. */
export function createClient(
  app: FastifyInstance,
  prefix: string,
  check: DocumentCheck,
  jar?: Map<string, string>,
) {
  async function call(
    method: Method,
    path: string,
    payload?: Body,
    { token, cookies, headers, type, from = '127.0.0.1' }: CallOptions = {},
  ): Promise<Reply> {
    const sent = { ...Object.fromEntries(jar ?? []), ...cookies }
    const url = path.startsWith('/') ? path : `${prefix}${path}`
    const response = await app.inject({
      method,
      url,
      remoteAddress: from,
      ...(payload !== undefined && { payload }),
      headers: {
        ...(token && { authorization: `Token ${token}` }),
        ...(type && { 'content-type': type }),
        ...(Object.keys(sent).length > 0 && { cookie: cookieHeader(sent) }),
        ...headers,
      },
    })
    const set = [response.headers['set-cookie'] ?? []].flat().map((line) => parseSetCookie(line))
    if (jar) for (const cookie of set) keep(jar, cookie)
    const { statusCode: status, headers: received } = response
    const body = bodyOf(response.body, received['content-type'])
    check({ method, url, status, type: received['content-type'], body })
    return { status, body, headers: received, cookies: set }
  }

  const withBody = (method: Method) => (path: string, body?: Body, options?: CallOptions) =>
    call(method, path, body, options)
  const withoutBody = (method: Method) => (path: string, options?: CallOptions) =>
    call(method, path, undefined, options)

  return {
    call,
    get: withoutBody('GET'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withoutBody('DELETE'),
    cookie: (name: string): string => jar?.get(name) ?? '',
    /** The header that a front end adds to unsafe requests. */
    csrf: () => ({ headers: { 'x-csrftoken': jar?.get('csrftoken') ?? '' } }),
  }
}

/** The address of one of many clients, so that limits count each client separately. */
export const fromClient = (n: number): CallOptions => ({ from: `192.0.2.${n}` })

const cookieHeader = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

function bodyOf(text: string, type: unknown): unknown {
  if (text === '') return undefined
  return String(type).startsWith('application/json') ? JSON.parse(text) : text
}

function keep(jar: Map<string, string>, { name, value = '', maxAge }: SetCookie): void {
  if (maxAge === 0) jar.delete(name)
  else jar.set(name, value)
}
