import type { FastifyRequest } from 'fastify'

/**
 * How a page reaches what lies below its own path. Links of a page are relative, since a host may
 * serve the API below another prefix, and the page may be asked for without its trailing slash.
 */
export function below({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?')
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' ? './' : `./${last}/`
}
