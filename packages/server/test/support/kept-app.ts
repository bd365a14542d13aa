import type { FastifyInstance } from 'fastify'
import type { Service } from '../../src/compose-service.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { buildApp } from '../../src/server/build-app.ts'
import { hasFailed } from './new-database.ts'
import { isSameAsRead, type Reads, watched } from './watched.ts'

/** Servers of earlier tests, the last one first. Making all routes takes longer than most tests. */
const kept: KeptApp[] = []

/** Idle servers cost memory, and most tests need one of few kinds. */
const KEPT_MAX = 32

type KeptApp = { app: FastifyInstance; serves: Served }

type Served = {
  /** The service that the routes call. */
  service: Service
  endpoints: readonly Endpoint[]
  /** What the routes are made of. */
  routes: string
  /** Everything that the server has read of the settings of its services so far. */
  reads: Reads
  /** True if it cannot serve another service. */
  isOver: boolean
}

/**
 * A started server for the service. It may be one of an earlier test, if this service has the same
 * routes and all settings that the server has read are the same. `key` names everything that the
 * routes depend on. Null if the server is not to be kept.
 */
export async function openApp(service: Service, key: string | null) {
  const endpoints = service.endpoints()
  const routes = key === null ? '' : routesOf(service, endpoints, key)
  const known = key === null ? undefined : takeKept(service, routes)
  const fresh: Served = { service, endpoints, routes, reads: new Map(), isOver: key === null }
  const { app, serves } = known ?? (await newApp(fresh))
  if (known) {
    Object.assign(serves, { service, endpoints })
    await service.start()
  }
  return {
    app,
    endpoints,
    /** Ends the service, and keeps the server unless the test has failed, or has opened or closed it. */
    async close(): Promise<void> {
      if (serves.isOver || app.server.listening || hasFailed()) return app.close()
      await service.close()
      kept.unshift({ app, serves })
      kept.length = Math.min(kept.length, KEPT_MAX)
    },
  }
}

function takeKept(service: Service, routes: string): KeptApp | undefined {
  const index = kept.findIndex(
    ({ serves }) => serves.routes === routes && isSameAsRead(readable(service), serves.reads),
  )
  return index < 0 ? undefined : kept.splice(index, 1)[0]
}

async function newApp(serves: Served): Promise<KeptApp> {
  const app = await buildApp(standIn(serves))
  await app.ready()
  return { app, serves }
}

/** What a server reads at any time, and may keep. */
const readable = ({ settings, place }: Service) => ({ settings, place: place() })

/** A service that hands everything on to the one that is served at the moment. */
function standIn(serves: Served): Service {
  const { log, metrics, throttle } = serves.service
  const endpoints = serves.endpoints.map((endpoint, index) =>
    handingOn(endpoint, () => serves.endpoints[index] as Endpoint, serves),
  )
  const { settings, place } = watched(() => readable(serves.service), serves.reads)
  const used: Partial<Service> = {
    settings,
    languages: {
      get isNegotiated() {
        return serves.service.languages.isNegotiated
      },
      get usual() {
        return serves.service.languages.usual
      },
      get offered() {
        return serves.service.languages.offered
      },
      ofNewUser: (asking) => serves.service.languages.ofNewUser(asking),
      of: (asking) => serves.service.languages.of(asking),
      ofPage: (...asking) => serves.service.languages.ofPage(...asking),
      named: (code) => serves.service.languages.named(code),
    },
    place: () => place,
    log,
    clock: { now: () => serves.service.clock.now() },
    metrics: {
      ...metrics,
      text: () => serves.service.metrics.text(),
      requestSeries: (...names) => ({
        observe: (seconds) => serves.service.metrics.requestSeries(...names).observe(seconds),
      }),
    },
    endpoints: () => endpoints,
    authenticate: (...given) => serves.service.authenticate(...given),
    throttle: throttle && (async (...given) => serves.service.throttle?.(...given)),
    clientLimits: (...given) => serves.service.clientLimits(...given),
    noteProxy: (request) => serves.service.noteProxy(request),
    checkReady: () => serves.service.checkReady(),
    start: () => serves.service.start(),
    close: () => {
      serves.isOver = true
      return serves.service.close()
    },
  }
  // The rest of a service is nothing that a server uses. If one does some day, it fails at once.
  return used as Service
}

/**
 * When a server reads each part of an endpoint: as it builds the routes, anew for each request, or
 * only for documents.
 */
const READ_FOR: Record<keyof Endpoint, 'routes' | 'requests' | 'documents'> = {
  method: 'routes',
  path: 'routes',
  atRoot: 'routes',
  access: 'routes',
  restricted: 'routes',
  throttle: 'routes',
  limit: 'routes',
  freshness: 'routes',
  replies: 'routes',
  handle: 'requests',
  guard: 'requests',
  check: 'requests',
  onRefusal: 'requests',
  body: 'requests',
  readsBody: 'requests',
  template: 'documents',
  operationId: 'documents',
  summary: 'documents',
  documented: 'documents',
  refusals: 'documents',
  faults: 'documents',
  usualFields: 'documents',
  pages: 'documents',
  tag: 'documents',
  alias: 'documents',
  query: 'documents',
  captcha: 'documents',
}
const PARTS = Object.keys(READ_FOR) as (keyof Endpoint)[]
const OF_ROUTES = PARTS.filter((name) => READ_FOR[name] === 'routes')
const FOR_REQUESTS = PARTS.filter((name) => READ_FOR[name] === 'requests')

const known = new Map<string, string>()

/** Equal for two services whose servers have the same routes. */
function routesOf({ throttle }: Service, endpoints: readonly Endpoint[], key: string): string {
  const routes =
    known.get(key) ??
    JSON.stringify([
      throttle === null,
      endpoints.map((one) => [OF_ROUTES.map((name) => one[name]), !one.onRefusal]),
    ])
  known.set(key, routes)
  return routes
}

/** A server that has read parts for documents may keep a document, and serves no other service. */
function handingOn(first: Endpoint, current: () => Endpoint, serves: Served): Endpoint {
  const read = (name: keyof Endpoint) => {
    if (READ_FOR[name] === 'documents') serves.isOver = true
    const value = current()[name]
    if (typeof value !== 'function') return value
    return (...given: never[]) => (current()[name] as (...given: never[]) => unknown)(...given)
  }
  // The endpoint of a later service may have parts for requests that the first one lacks.
  const names = new Set([...(Object.keys(first) as (keyof Endpoint)[]), ...FOR_REQUESTS])
  const getters = [...names].map((name) => [name, { enumerable: true, get: () => read(name) }])
  return Object.defineProperties({} as Endpoint, Object.fromEntries(getters))
}
