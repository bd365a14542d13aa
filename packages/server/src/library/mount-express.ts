import type { IncomingMessage, ServerResponse } from 'node:http'
import { withoutSlash } from '../mount/fastify-plugin.ts'
import type { ExpressMount } from './auth.ts'
import type { GetOwnApp } from './own-app.ts'
import { pathOf, placeOf } from './request-place.ts'
import type { HostedService } from './service.ts'

export function mountExpress(service: HostedService, ownApp: GetOwnApp): ExpressMount {
  async function handle(request: IncomingMessage, response: ServerResponse, next?: () => void) {
    const place = placeOf(request, service.settings.AUTH_PREFIX)
    const auth = service.at(place)
    const app = await ownApp(auth)
    // As the place is known to the service, however this client has written it.
    const base = place.base === '' ? '' : withoutSlash(auth.settings.AUTH_PREFIX)
    const url = `${base}${pathOf(request)}`
    if (next && !app.isOurs(url)) return next()
    request.url = url
    app.answer(request, response)
  }

  return (request, response, next) => {
    handle(request, response, next).catch((error) => {
      if (next) return next(error)
      service.current().log.error({ err: error }, 'the service cannot answer')
      response.writeHead(500).end()
    })
  }
}
