import type { FastifyInstance } from 'fastify'
import type { Service } from '../../src/compose-service.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { buildApp } from '../../src/server/build-app.ts'

/**
 * Servers of earlier tests, by what their routes depend on. Making all routes takes longer than most
 * tests, and a server keeps nothing from one request to the next: all state is in the service.
 */
const kept = new Map<string, KeptApp>()

/** Idle servers cost memory, and most tests use few settings. */
const KEPT_MAX = 32

type KeptApp = {
  app: FastifyInstance
  /** The service that the routes call. */
  serves: { service: Service; endpoints: readonly Endpoint[]; isClosed: boolean }
}

/**
 * A started server for the service. `key` names everything that its routes depend on. Null if the
 * server is not to be kept.
 */
export async function openApp(service: Service, key: string | null) {
  const known = key === null ? undefined : kept.get(key)
  if (key !== null) kept.delete(key)
  const { app, serves } = known ?? (await newApp(service))
  if (known) {
    serves.service = service
    serves.endpoints = service.endpoints()
    await service.start()
  }
  return {
    app,
    /** Ends the service, and keeps the server unless the test has opened or closed it. */
    async close(): Promise<void> {
      const isUsed = serves.isClosed || app.server.listening
      if (key === null || isUsed || kept.size >= KEPT_MAX) return app.close()
      await service.close()
      kept.set(key, { app, serves })
    },
  }
}

async function newApp(service: Service): Promise<KeptApp> {
  const serves = { service, endpoints: service.endpoints(), isClosed: false }
  const app = await buildApp(standIn(serves))
  await app.ready()
  return { app, serves }
}

/** A service that hands everything on to the one that is served at the moment. */
function standIn(serves: KeptApp['serves']): Service {
  const { service: first } = serves
  const endpoints = serves.endpoints.map((endpoint, index) =>
    handingOn(endpoint, () => serves.endpoints[index] as Endpoint),
  )
  return {
    ...first,
    clock: { now: () => serves.service.clock.now() },
    metrics: {
      ...first.metrics,
      text: () => serves.service.metrics.text(),
      requestSeries: (...names) => ({
        observe: (seconds) => serves.service.metrics.requestSeries(...names).observe(seconds),
      }),
    },
    endpoints: () => endpoints,
    authenticate: (...given) => serves.service.authenticate(...given),
    throttle: first.throttle && (async (...given) => serves.service.throttle?.(...given)),
    clientLimits: (...given) => serves.service.clientLimits(...given),
    checkReady: () => serves.service.checkReady(),
    start: () => serves.service.start(),
    close: () => {
      serves.isClosed = true
      return serves.service.close()
    },
  }
}

function handingOn(first: Endpoint, current: () => Endpoint): Endpoint {
  const names = Object.keys(first) as (keyof Endpoint)[]
  const getters = names.map((name) => [name, { enumerable: true, get: () => current()[name] }])
  return Object.defineProperties({} as Endpoint, Object.fromEntries(getters))
}
