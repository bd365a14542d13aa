import type { FastifyInstance } from 'fastify'
import { withoutSlash } from '../http/paths.ts'
import { mountInto } from '../mount/fastify-plugin.ts'
import type { FastifyMount } from './auth.ts'
import type { HostedService } from './hosted-service.ts'

/** The metadata of the plugin. Fastify refuses a plugin for another version. */
const META = {
  [Symbol.for('fastify.display-name')]: 'latchkey',
  [Symbol.for('plugin-meta')]: { name: 'latchkey', fastify: '5.x' },
  // Otherwise Fastify would apply the prefix to all paths. The pages have their own.
  [Symbol.for('skip-override')]: true,
}

/** Typed as any text, because the host declares the type of this property itself. */
const USER: string = 'user'

export function mountFastify(service: HostedService): FastifyMount {
  const { settings, claim, close } = service
  const plugin: FastifyMount = async (host, { prefix = settings.AUTH_PREFIX }) => {
    const instance = host as FastifyInstance
    claim(() => ({ base: withoutSlash(instance.prefix), prefix }))
    instance.addHook('onClose', close)
    // All requests then have the same shape. Another plugin may have added the name already.
    if (!instance.hasRequestDecorator(USER)) instance.decorateRequest(USER, null)
    await mountInto(instance, service)
  }
  return Object.assign(plugin, META)
}
