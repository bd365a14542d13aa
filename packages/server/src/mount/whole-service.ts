import type { FastifyInstance } from 'fastify'
import type { Service } from '../compose-service.ts'
import { addAnswerHeaders } from '../http/answer-headers.ts'
import { addErrorHandler, addNotFoundHandler } from '../http/error-handler.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import type { KnownPaths } from '../http/paths.ts'
import { addEndpointsAtRoot, apiBelowPrefix, prefixOf } from './fastify-plugin.ts'

/**
 * Adds the service to a server of its own, which answers unknown paths, too. `addMore` may add
 * further routes outside the prefix.
 */
export async function addWholeService(
  app: FastifyInstance,
  service: Service,
  paths: KnownPaths,
  addMore: (outside: FastifyInstance) => void = () => {},
): Promise<void> {
  const { settings } = service
  const prefix = prefixOf(service)
  // Beside the API, not around it. Otherwise the hooks of both would run for each of its requests.
  await app.register(async (outside) => {
    addErrorHandler(outside, settings)
    addAnswerHeaders(outside, settings)
    addEndpointsAtRoot(outside, service)
    // Without a prefix, the API answers unknown paths.
    if (prefix !== '') {
      addNotFoundHandler(outside)
      refuseOtherMethods(outside, paths)
    }
    addMore(outside)
  })
  await app.register(apiBelowPrefix(service, { isAlone: true, paths }), { prefix })
}
