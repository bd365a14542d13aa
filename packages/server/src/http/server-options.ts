import type { Socket } from 'node:net'
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { SECOND } from '../kernel/clock.ts'
import { randomHex } from '../kernel/random.ts'
import { type Problem, problem } from '../problems.ts'
import { BODY_LIMIT } from './body-parsers.ts'
import { requestId } from './request-id.ts'

/** Slow clients and malformed requests cannot hold the server, nor get anything but JSON. */
export const serverOptions = (log: FastifyBaseLogger): FastifyHttpOptions<RawServerDefault> => ({
  bodyLimit: BODY_LIMIT,
  requestTimeout: 30 * SECOND,
  connectionTimeout: 120 * SECOND,
  http: { headersTimeout: 10 * SECOND, connectionsCheckingInterval: SECOND },
  routerOptions: { maxParamLength: 1024 },
  genReqId: (request) => requestId(request) ?? randomHex(8),
  logController: new LogController({ disableRequestLogging: true }),
  loggerInstance: log,
  // A path that cannot be decoded names nothing.
  frameworkErrors: (_error, _request, reply) => {
    const { status, body } = problem('not_found')
    return (reply as FastifyReply).status(status).send(body)
  },
  clientErrorHandler(error, socket) {
    answerRaw(socket, problem(CLIENT_ERRORS[error.code ?? ''] ?? 'malformed_request'))
  },
})

const CLIENT_ERRORS: Record<string, 'headers_too_large' | 'request_timeout'> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Before there is a request there is no reply, only the socket. */
function answerRaw(socket: Socket, { status, body }: Problem): void {
  if (!socket.writable) return
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${status} Bad Request`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${randomHex(8)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}
