import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, problem, throttled, unavailable } from '../kernel/problems.ts'
import type { Faults } from './faults.ts'

/** Short, since a test waits for the retry. */
const RETRY_SECONDS = 1

/**
 * Does what the faults of paths say. It is done inside the service, so that the answer has the
 * headers of every other refusal: without those of CORS, a page of another origin could not read it.
 */
export function addPathFaults(
  app: FastifyInstance,
  { faults, prefix }: { faults: Faults; prefix: string },
): void {
  // After the hooks that add headers, and before the caller is authenticated.
  app.addHook('onRoute', (route) => {
    route.onRequest = [fail, ...[route.onRequest ?? []].flat()]
  })
  app.addHook('preParsing', async (request) => {
    if (request.is404) await fail(request)
  })

  async function fail({ method, url }: FastifyRequest): Promise<void> {
    const [path = ''] = url.split('?')
    // The browser asks before the request that the fault is for.
    if (method === 'OPTIONS' || !path.startsWith(prefix)) return
    const fault = faults.take(path.slice(prefix.length))
    if (!fault) return
    if (fault.delayMs > 0) await pause(fault.delayMs)
    if (fault.status !== null) throw refusalOf(fault.status)
  }
}

function refusalOf(status: number): Problem {
  if (status === 429) return throttled(RETRY_SECONDS)
  if (status === 503) return unavailable(RETRY_SECONDS).logged()
  if (status === 500) return problem('internal').logged()
  return new Problem(status, { detail: 'The test asked for this fault.' }, 'fault')
}
