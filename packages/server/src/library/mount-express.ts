import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerTo } from '../http/error-handler.ts'
import { withoutSlash } from '../http/paths.ts'
import { problem } from '../kernel/problems.ts'
import type { ExpressMount } from './auth.ts'
import { baseOf, pathAt } from './host-request.ts'
import type { Mounted } from './mounted.ts'
import type { Spot } from './place.ts'
import { addVary, sendRefusal } from './refuse.ts'

/** What Express (`mountpath`, `parent`) and Connect (`route`) set on an app that they mount. */
type AsApp = { mountpath?: unknown; route?: unknown }
type Parent = { path(): string }

export function mountExpress(name: string, mounted: Mounted): ExpressMount {
  const { settings, log, place, claim, ownApp, elsewhere } = mounted
  /** Returns false if the path is the host's, which answers in `next`. */
  async function answer(request: IncomingMessage, response: ServerResponse, hasNext: boolean) {
    const app = await ownApp()
    const url = pathAt(place(), request)
    if (url === null) {
      elsewhere.note(baseOf(request))
      if (mounted.languages.isNegotiated) addVary(response, ['Accept-Language'])
      sendRefusal(answerTo(problem('not_found'), request, mounted), response)
      return true
    }
    if (!app.isOurs(url)) {
      if (hasNext) return false
      elsewhere.noteIfOurs(url, app)
    }
    request.url = url
    app.answer(request, response)
    return true
  }

  const mount: ExpressMount & AsApp = (request, response, next) => {
    answer(request, response, Boolean(next)).then(
      (isAnswered) => {
        // What it throws is not caught here, or it would be called a second time.
        if (!isAnswered) next?.()
      },
      (error) => {
        if (next) return next(error)
        log.error({ err: error }, 'the service cannot answer')
        response.writeHead(500).end()
      },
    )
  }
  const claimAt = (path: unknown, parent?: Parent) =>
    claim(() => spotAt(`${parent?.path() ?? ''}${plain(path, name)}`, settings.AUTH_PREFIX))

  // With these, Express and Connect treat it as an app, and tell it where they mount it.
  Object.assign(mount, {
    handle: mount,
    set: () => mount,
    emit(event: string, parent: Parent) {
      if (event === 'mount') claimAt(mount.mountpath, parent)
    },
  })
  return Object.defineProperty(mount, 'route', { set: claimAt })
}

/** The path that a host names replaces the prefix. */
function spotAt(path: string, prefix: string): Spot {
  const base = path.replace(/\/+$/, '').replace(/\/{2,}/g, '/')
  // If the parents of a mount do not say where they are, the host has set the whole path itself.
  const isTail = prefix.endsWith(`${base}/`) && base.length < withoutSlash(prefix).length
  return base === '' || isTail ? { base: '', prefix } : { base, prefix: '/' }
}

function plain(path: unknown, name: string): string {
  if (typeof path === 'string' && /^\/[\w.~/-]*$/.test(path)) return path
  throw new Error(`${name} can be mounted at one plain path, such as /members, not at ${path}.`)
}
