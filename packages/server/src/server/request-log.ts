import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Logger, pino } from 'pino'
import type { Metrics } from '../core/metrics.ts'
import type { RequestSeries } from '../core/request-durations.ts'
import { plainRoute } from '../http/paths.ts'
import { SECOND, systemClock } from '../kernel/clock.ts'
import type { LogStream } from './log-stream.ts'

/** The route and not the URL, since a URL may hold a key. */
type Answered = { id: string; method: string; route: string; status: number; ms: number }

export type RequestLog = {
  /** Logs and counts an answered request. */
  note(answered: Answered): void
  /** The route of a request that has not matched one, because of its method. */
  routeNear(url: string): string | undefined
}

export const NO_LOG: RequestLog = { note() {}, routeNear: () => undefined }

export const UNKNOWN = 'unknown'

/** What requests of one route, method and status share. It is made once, so the number is bounded. */
type Kind = { series: RequestSeries; log(id: string, ms: number): void }

/** One line and one measurement per request. */
export function createRequestLog(
  log: FastifyBaseLogger,
  metrics: Metrics,
  routeNear: RequestLog['routeNear'],
): RequestLog {
  const kinds = new Map<string, Map<string, Map<number, Kind>>>()

  return {
    routeNear,
    note({ id, method, route, status, ms }) {
      const kind = kindOf(method, route, status)
      kind.series.observe(ms / SECOND)
      kind.log(id, ms)
    },
  }

  function kindOf(method: string, route: string, status: number): Kind {
    const ofRoute = valueIn(kinds, route, () => new Map<string, Map<number, Kind>>())
    const ofMethod = valueIn(ofRoute, method, () => new Map<number, Kind>())
    return valueIn(ofMethod, status, () => {
      const shown = plainRoute(route)
      const series = metrics.requestSeries(method, shown, status)
      return { series, log: requestLines(log.child({ method, route: shown, status })) }
    })
  }
}

const streamSym: typeof pino.symbols.streamSym = pino.symbols.streamSym
const chindingsSym: typeof pino.symbols.chindingsSym = pino.symbols.chindingsSym

/** What pino makes accessible to others: where its lines go, and the JSON of what all of them have. */
type LoggerInside = { [streamSym]: LogStream; [chindingsSym]: string }

/**
 * Writes the lines that the logger would write for `info({ reqId, ms }, 'request')`. The logger takes
 * five times as long for them, since it looks for serialisers, formatters and characters to escape.
 * An id has none: it is our own, or has passed `requestId`.
 */
function requestLines(log: FastifyBaseLogger): Kind['log'] {
  const { [streamSym]: stream, [chindingsSym]: fields } = log as unknown as LoggerInside
  if (!(log as Logger).isLevelEnabled('info')) return () => {}
  let start = ''
  let startedAt = 0
  return (id, ms) => {
    const time = systemClock.now()
    // Many lines have the same time, and turning it into a text takes longer than the rest. So would a
    // fraction, while V8 remembers the texts of integers.
    if (time !== startedAt) {
      start = `{"level":${pino.levels.values.info},"time":${time}${fields},"reqId":"`
      startedAt = time
    }
    const tenths = Math.round(ms * 10)
    stream.write(`${start}${id}","ms":${Math.floor(tenths / 10)}.${tenths % 10},"msg":"request"}\n`)
  }
}

function valueIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/**
 * Fastify tells it about every answer. A hook would do the same, but running hooks after an answer
 * costs as much as finding its route.
 */
export class AnswerLog extends LogController {
  readonly #log: RequestLog

  constructor(log: RequestLog) {
    super({ disableRequestLogging: true })
    this.#log = log
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { id, method, routeOptions, url } = request
    const route = routeOptions.url ?? this.#log.routeNear(url) ?? UNKNOWN
    this.#log.note({ id, method, route, status: reply.statusCode, ms: reply.elapsedTime })
  }
}
