import type { FastifyRequest } from 'fastify'

/**
 * Whether the client behind a link of a mail is a browser that shows pages, or a script. Scripts
 * accept anything or JSON; a browser names HTML.
 */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  const accept = (headers.accept ?? '').trim()
  if (accept === '') return method === 'GET' || method === 'HEAD'
  return accept.split(',').some(namesHtml)
}

/** A weight of zero means "anything but this". */
function namesHtml(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'text/html' && type !== 'text/*') return false
  return !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter))
}
