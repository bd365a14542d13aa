import type { FastifyInstance } from 'fastify'
import { withoutSlash } from '../http/paths.ts'
import type { FastifyMount } from './auth.ts'
import type { Mounted } from './mounted.ts'

/** The metadata of a plugin. Fastify refuses a plugin for another version. */
const metaOf = (name: string) => ({
  [Symbol.for('fastify.display-name')]: name,
  [Symbol.for('plugin-meta')]: { name, fastify: '5.x' },
  // Otherwise Fastify would apply the prefix to all paths. The pages have their own.
  [Symbol.for('skip-override')]: true,
})

/** Typed as any text, because the host declares the type of this property itself. */
const USER: string = 'user'

/** `prepare` runs first, and may add hooks to the server of the host. */
export function mountFastify(
  name: string,
  { settings, claim, mountInto }: Mounted,
  prepare: (host: FastifyInstance) => void = () => {},
): FastifyMount {
  const plugin: FastifyMount = async (host, { prefix = settings.AUTH_PREFIX }) => {
    const instance = host as FastifyInstance
    claim(() => ({ base: withoutSlash(instance.prefix), prefix }))
    prepare(instance)
    await mountInto(instance)
  }
  return Object.assign(plugin, metaOf(name))
}

/** The service closes with the server of the host, and its guards set `request.user`. */
export const followHost =
  (close: () => Promise<void>) =>
  (host: FastifyInstance): void => {
    host.addHook('onClose', close)
    // All requests then have the same shape. Another plugin may have added the name already.
    if (!host.hasRequestDecorator(USER)) host.decorateRequest(USER, null)
  }
