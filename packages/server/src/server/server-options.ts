import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyReply, RawServerDefault } from 'fastify'
import { JSON_TYPE } from '../http/answer-headers.ts'
import { BODY_LIMIT } from '../http/body-limits.ts'
import { errorBody, type Speaking } from '../http/error-handler.ts'
import { createRequestIds, requestId } from '../http/request.ts'
import { MINUTE, SECOND } from '../kernel/clock.ts'
import { problem } from '../kernel/problems.ts'
import { answerEarly } from './answer-early.ts'
import { AnswerLog, type RequestLog, UNKNOWN } from './request-log.ts'

/** Bounds for slow clients and malformed requests. Their answers are JSON, too. */
export function serverOptions(
  speaking: Speaking,
  log: FastifyBaseLogger,
  requestLog: RequestLog,
): FastifyHttpOptions<RawServerDefault> {
  const { settings, languages } = speaking
  const newRequestId = createRequestIds()
  return {
    bodyLimit: BODY_LIMIT,
    // During the shutdown, requests on open connections are still answered.
    return503OnClosing: false,
    // The hook that drains would be given up after this time, and SHUTDOWN_DELAY may be longer.
    pluginTimeout: settings.SHUTDOWN_DELAY + MINUTE,
    requestTimeout: 30 * SECOND,
    http: {
      headersTimeout: 10 * SECOND,
      connectionsCheckingInterval: SECOND,
      // Node's refusal has no request id and no body. `refuseWithoutHost` takes its place.
      requireHostHeader: false,
    },
    // Half as many routes as with both spellings of a path: adding them took a fifth of the start.
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: true, allowUnsafeRegex: true },
    // We check bodies and answers ourselves, so Fastify does not have to load its schema compilers.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    genReqId: (request) => requestId(request) ?? newRequestId(),
    logController: new AnswerLog(requestLog),
    loggerInstance: loggerOfAll(log),
    // A path that cannot be decoded is a 404.
    frameworkErrors: (_error, request, reply) => {
      const refusal = problem('not_found')
      const { id, method } = request
      requestLog.note({ id, method, route: UNKNOWN, status: refusal.status, ms: 0 })
      return answerEarly(refusal, request, reply as FastifyReply, speaking)
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return
      const refusal = problem(CLIENT_ERRORS[error.code ?? ''] ?? 'malformed_request')
      const id = newRequestId()
      requestLog.note({ id, method: UNKNOWN, route: UNKNOWN, status: refusal.status, ms: 0 })
      const language = languages.usual
      const body = errorBody(refusal, settings, { language })
      answerRaw(socket, refusal.status, body, [
        `X-Request-Id: ${id}`,
        ...(languages.isNegotiated ? [`Content-Language: ${language.code}`] : []),
      ])
    },
  }
}

/**
 * Saves a logger per request: our log lines name the request themselves. With a `childLoggerFactory`
 * Fastify would check its seven methods for each request, which takes about 1 µs.
 */
function loggerOfAll(log: FastifyBaseLogger): FastifyBaseLogger {
  const child: FastifyBaseLogger['child'] = function child(
    this: FastifyBaseLogger,
    fields,
    options,
  ) {
    return REQUEST_LABEL in fields ? this : log.child.call(this, fields, options)
  }
  return Object.create(log, { child: { value: child } })
}

/** What Fastify would add to the lines of a request. */
const REQUEST_LABEL = 'reqId'

function unused(): never {
  throw new Error('Routes must not leave their schemas to Fastify.')
}

const CLIENT_ERRORS: Record<string, 'headers_too_large' | 'request_timeout'> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Without a parsed request there is no reply object, only the socket. */
function answerRaw(socket: Socket, status: number, body: object, headers: string[]): void {
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      ...headers,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
  // Otherwise a client that never closes its side and goes on sending keeps the connection.
  setTimeout(() => socket.destroy(), CUT_AFTER).unref()
}

/** Cutting it at once could reset the connection before the client has read the answer. */
const CUT_AFTER = 2 * SECOND
