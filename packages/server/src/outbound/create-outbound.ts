import type { Clock } from '../kernel/clock.ts'
import { type Log, messageOf } from '../kernel/log.ts'
import { type Problem, unavailable } from '../kernel/problems.ts'
import { guardedLookup } from './addresses.ts'
import { createBreaker } from './breaker.ts'
import { type OutboundAnswer, type OutboundRequest, requestJson } from './request.ts'

export type Outbound = ReturnType<typeof createOutbound>

type Needs = {
  /** The name of the other party in the log. */
  party: string
  /** `https://host[:port]` of every place that may be called. No other place is ever called. */
  origins: ReadonlySet<string>
  /**
   * Whether names may resolve to private addresses. Hosts that are given as an address always may.
   */
  allowPrivate: boolean
  clock: Clock
  log: Log
  timeoutMs: number
}

const MAX_BYTES = 1024 * 1024
const MAX_CALLS = 256
const TOO_MANY_REQUESTS = 429

/** Calls to one other party, only to configured places, and limited in time, size and number. */
export function createOutbound(needs: Needs) {
  const { party, origins, allowPrivate, clock, log, timeoutMs } = needs
  const bounds = { lookup: guardedLookup(allowPrivate), timeoutMs, maxBytes: MAX_BYTES }
  const breaker = createBreaker(clock)
  let calls = 0

  return {
    /**
     * Returns answers below 300 with JSON, and refusals (4xx) with any body. Everything else,
     * including no answer, is a failure of that party: a 503 and a line in the log.
     */
    async call(request: OutboundRequest): Promise<OutboundAnswer> {
      const { origin, pathname } = new URL(request.url)
      // Query and headers are not logged: they contain tokens.
      const trouble = (reason: string, seconds?: number): Problem => {
        log.warn({ party, address: `${origin}${pathname}`, reason }, 'outbound call failed')
        return unavailable(seconds)
      }
      if (!origins.has(origin)) throw trouble('this host is not configured')
      const pause = breaker.secondsLeft()
      if (pause > 0)
        throw trouble('it failed several times, so it is not called for a while', pause)
      if (calls >= MAX_CALLS) throw trouble('too many calls at once')

      calls += 1
      const answer = await requestJson(request, bounds)
        .catch((error) => {
          breaker.noteFailure()
          throw trouble(messageOf(error))
        })
        .finally(() => {
          calls -= 1
        })
      breaker.noteAnswer()
      if (!isAnswer(answer)) throw trouble(`status ${answer.status}, or no JSON`)
      return answer
    },
  }
}

function isAnswer({ status, body }: OutboundAnswer): boolean {
  if (status >= 200 && status < 300) return body !== undefined
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS
}
