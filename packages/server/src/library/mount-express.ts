import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerTo } from '../http/error-handler.ts'
import { withoutSlash } from '../http/paths.ts'
import { problem } from '../kernel/problems.ts'
import type { ExpressMount } from './auth.ts'
import type { GetOwnApp } from './build-own-app.ts'
import { baseOf, pathAt } from './host-request.ts'
import type { HostedService } from './hosted-service.ts'
import type { Elsewhere, Spot } from './place.ts'
import { sendRefusal } from './refuse.ts'

/** What Express (`mountpath`, `parent`) and Connect (`route`) set on an app that they mount. */
type Mounted = { mountpath?: unknown; route?: unknown }
type Parent = { path(): string }

export function mountExpress(
  service: HostedService,
  ownApp: GetOwnApp,
  elsewhere: Elsewhere,
): ExpressMount {
  async function handle(request: IncomingMessage, response: ServerResponse, next?: () => void) {
    const app = await ownApp()
    const url = pathAt(service.place(), request)
    if (url === null) {
      elsewhere.note(baseOf(request))
      return sendRefusal(answerTo(problem('not_found'), service.settings), response)
    }
    if (!app.isOurs(url)) {
      if (next) return next()
      elsewhere.noteIfOurs(url, app)
    }
    request.url = url
    app.answer(request, response)
  }

  const mount: ExpressMount & Mounted = (request, response, next) => {
    handle(request, response, next).catch((error) => {
      if (next) return next(error)
      service.log.error({ err: error }, 'the service cannot answer')
      response.writeHead(500).end()
    })
  }
  const claim = (path: unknown, parent?: Parent) =>
    service.claim(() =>
      spotAt(`${parent?.path() ?? ''}${plain(path)}`, service.settings.AUTH_PREFIX),
    )

  // With these, Express and Connect treat it as an app, and tell it where they mount it.
  Object.assign(mount, {
    handle: mount,
    set: () => mount,
    emit(event: string, parent: Parent) {
      if (event === 'mount') claim(mount.mountpath, parent)
    },
  })
  return Object.defineProperty(mount, 'route', { set: claim })
}

/** The path that a host names replaces `AUTH_PREFIX`. */
function spotAt(path: string, prefix: string): Spot {
  const base = path.replace(/\/+$/, '').replace(/\/{2,}/g, '/')
  // If the parents of a mount do not say where they are, the host has set the whole path itself.
  const isTail = prefix.endsWith(`${base}/`) && base.length < withoutSlash(prefix).length
  return base === '' || isTail ? { base: '', prefix } : { base, prefix: '/' }
}

function plain(path: unknown): string {
  if (typeof path === 'string' && /^\/[\w.~/-]*$/.test(path)) return path
  throw new Error(
    `auth.express can be mounted at one plain path, such as /members, not at ${path}.`,
  )
}
