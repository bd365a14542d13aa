import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders, sendJson, tellLanguage } from '../http/answer-headers.ts'
import { answerTo, type Speaking } from '../http/error-handler.ts'
import { type Problem, problem } from '../kernel/problems.ts'

/** Answers a request before any other hook has run, so it sets the usual headers itself. */
export function answerEarly(
  refusal: Problem,
  request: Pick<FastifyRequest, 'id' | 'headers'>,
  reply: FastifyReply,
  speaking: Speaking,
): FastifyReply {
  const { settings, languages } = speaking
  const { status, headers, body } = answerTo(refusal, request, speaking)
  if (languages.isNegotiated) tellLanguage(reply, languages.of(request))
  const all = { ...answerHeaders(settings), ...headers, 'x-request-id': request.id }
  return sendJson(reply.status(status).headers(all), JSON.stringify(body))
}

/** HTTP/1.1 demands a `Host`. Older versions do not have it. */
export function refuseWithoutHost(app: FastifyInstance, speaking: Speaking): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion !== '1.1') return done()
    answerEarly(problem('malformed_request'), request, reply, speaking)
  })
}
