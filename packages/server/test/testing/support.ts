import { onTestFinished } from 'vitest'
import { runTestService } from '../../src/testing/run.ts'

type Settings = Parameters<typeof runTestService>[0]['settings']
type Options = { seed?: readonly object[]; atTheEnd?: (end: () => Promise<void>) => unknown }

/** A test service of this process, and how to call it. */
export async function startService(settings: Settings = {}, options: Options = {}) {
  const { seed = [], atTheEnd = onTestFinished } = options
  const service = await runTestService({
    settings: { LOG_LEVEL: 'silent', ...settings },
    ...{ seed, port: 0, isProduction: false, cwd: '/' },
  })
  atTheEnd(service.stop)
  return { ...service, ...callsTo(service.url) }
}

export type Answer = { status: number; body: unknown; headers: Headers }

/** Calls below `/__test/` and below the API, in the space of a name. */
export function callsTo(url: string, space?: string) {
  const call =
    (base: string) =>
    async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
      const response = await fetch(`${url}${base}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(space !== undefined && { 'x-test-space': space }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return {
        status: response.status,
        body: isJson && text !== '' ? JSON.parse(text) : text,
        headers: response.headers,
      }
    }
  return { test: call('/__test/'), api: call('/auth/'), at: call('') }
}

/** The body of an answer that must be good. */
export async function good<T>(answer: Promise<Answer>): Promise<T> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as T
}
