import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify'
import Fastify from 'fastify'
import inject, { type InjectOptions, type Response } from 'light-my-request'
import type { Service } from '../compose-service.ts'
import { routingAt } from '../core/place.ts'
import { answerTo } from '../http/error-handler.ts'
import { takeBodyOfHost } from '../http/parsed-body.ts'
import { recordPaths, type ServedPaths, withoutSlash } from '../http/paths.ts'
import { createRequestIds, requestId } from '../http/request.ts'
import { problem } from '../kernel/problems.ts'
import { NO_LOG } from '../server/request-log.ts'
import { serverOptions } from '../server/server-options.ts'
import { sendRefusal } from './refuse.ts'

export type OwnApp = Awaited<ReturnType<typeof buildOwnApp>>

/** `signal` aborts if the client disconnects. */
type Simulated = InjectOptions & { url: string; signal: AbortSignal }

/** The app that answers for mounts without their own server. All of them share one. */
export type GetOwnApp = () => Promise<OwnApp>

/** What an app needs of either API of the service. */
export type Shared = Pick<Service, 'settings' | 'languages' | 'log' | 'place'>

/** A Fastify that never listens: hosts pass their requests to it. */
export async function buildOwnApp(
  { log, place, ...speaking }: Shared,
  add: (app: FastifyInstance, paths: ServedPaths) => Promise<void>,
) {
  // The host logs its requests itself.
  const app: FastifyInstance = Fastify(serverOptions(speaking, log, NO_LOG))
  const paths = recordPaths(app)
  app.addHook('preParsing', takeBodyOfHost)
  app.addHook('onSend', keepEarlierCookies)
  await add(app, paths)
  await app.ready()

  const { AUTH_PREFIX: prefix } = routingAt(place())
  /**
   * Everything below the prefix is ours. At the root of a server, only the paths that we serve are.
   */
  const isBelow = (path: string) =>
    place().AUTH_PREFIX !== '/' && (path.startsWith(prefix) || path === withoutSlash(prefix))
  const isServed = (path: string) => paths.named(path) !== undefined
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    app.routing(request, response)
  const newRequestId = createRequestIds()
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('x-request-id', requestId(request) ?? newRequestId())
    sendRefusal(answerTo(problem('malformed_request'), request, speaking), response)
  }
  return {
    /** Whether the service answers this path, even with a refusal. */
    isOurs(url: string): boolean {
      const [path = ''] = url.split(/[?#]/)
      return isBelow(path) || isServed(path)
    },
    /** Whether the API has this path, after its prefix. */
    isEndpoint: (path: string): boolean => path !== '' && isServed(`${prefix}${path}`),
    answer,
    /** Answers a request that did not come over a connection of Node. */
    simulate({ signal, ...options }: Simulated): Promise<Response> {
      const dispatch = (request: IncomingMessage, response: ServerResponse) => {
        // As if a connection closed. The simulation itself would only fail to read the body, which
        // Fastify would answer twice, and notice nothing later.
        signal.addEventListener('abort', () => {
          request.aborted = true
          response.destroy()
        })
        if (options.url.startsWith('https:')) Object.assign(request.socket, { encrypted: true })
        // Node never passes on a method that it does not know.
        const isMethod = METHODS.includes(request.method ?? '')
        return isMethod ? answer(request, response) : refuse(request, response)
      }
      // Its validation would throw for such a method.
      return inject(dispatch, { ...options, validate: false })
    },
  }
}

/** Keeps cookies that the host has already set. Our values win for all other headers. */
const keepEarlierCookies: onSendAsyncHookHandler = async (_request, reply) => {
  const earlier = reply.raw.getHeader('set-cookie')
  if (earlier !== undefined) reply.header('set-cookie', earlier)
}
