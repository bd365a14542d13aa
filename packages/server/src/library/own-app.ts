import type { Service } from '../compose-service.ts'
import type { OwnApp } from './build-own-app.ts'

/** The app that answers for mounts which have none of their own. There is one for all of them. */
export type GetOwnApp = () => Promise<OwnApp>

/** Fastify is loaded with the first request, since a host with its own never needs ours. */
export function createOwnApp(service: Service): GetOwnApp {
  let app: Promise<OwnApp> | undefined

  async function build(): Promise<OwnApp> {
    const { buildOwnApp } = await import('./build-own-app.ts')
    return buildOwnApp(service)
  }

  return () => {
    app ??= build().catch((error) => {
      app = undefined
      throw error
    })
    return app
  }
}
