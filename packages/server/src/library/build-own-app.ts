import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify'
import Fastify from 'fastify'
import inject, { type InjectOptions, type Response } from 'light-my-request'
import type { Service } from '../compose-service.ts'
import { routingAt } from '../core/place.ts'
import { takeBodyOfHost } from '../http/parsed-body.ts'
import { recordPaths, type ServedPaths, withoutSlash } from '../http/paths.ts'
import { NO_LOG } from '../server/request-log.ts'
import { serverOptions } from '../server/server-options.ts'

/** A Fastify that never listens: hosts pass their requests to it. */
export type OwnApp = {
  /** Whether the service answers this path, even with a refusal. */
  isOurs(url: string): boolean
  /** Whether the API has this path, after its prefix. */
  isEndpoint(path: string): boolean
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Answers a request that did not come over a connection of Node. */
  simulate(request: InjectOptions & { url: string }): Promise<Response>
}

/** The app that answers for mounts without their own server. All of them share one. */
export type GetOwnApp = () => Promise<OwnApp>

/** Adds all routes to the app. */
export type AddTo = (app: FastifyInstance, paths: ServedPaths) => Promise<void>

/** What an app needs of either API of the service. */
export type Shared = Pick<Service, 'settings' | 'languages' | 'log' | 'place'>

export async function buildOwnApp(
  { log, place, ...speaking }: Shared,
  add: AddTo,
): Promise<OwnApp> {
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
  const answer: OwnApp['answer'] = (request, response) => app.routing(request, response)
  return {
    isOurs(url) {
      const [path = ''] = url.split(/[?#]/)
      return isBelow(path) || isServed(path, paths)
    },
    isEndpoint: (path) => path !== '' && isServed(`${prefix}${path}`, paths),
    answer,
    simulate: (options) =>
      inject((request, response) => {
        if (options.url.startsWith('https:')) Object.assign(request.socket, { encrypted: true })
        answer(request, response)
      }, options),
  }
}

/** A path that cannot be decoded is not served. */
function isServed(path: string, paths: ServedPaths): boolean {
  try {
    return paths.named(path) !== undefined
  } catch {
    return false
  }
}

/** Keeps cookies that the host has already set. Our values win for all other headers. */
const keepEarlierCookies: onSendAsyncHookHandler = async (_request, reply) => {
  const earlier = reply.raw.getHeader('set-cookie')
  if (earlier !== undefined) reply.header('set-cookie', earlier)
}
