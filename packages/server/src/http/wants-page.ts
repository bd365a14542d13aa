import type { FastifyRequest } from 'fastify'

/**
 * Whether the client behind a link of a mail is a browser that shows pages, or a script. A GET that
 * does not say what it accepts counts as a browser, too.
 */
export function wantsPage(request: FastifyRequest): boolean {
  const isSilent = (request.headers.accept ?? '').trim() === ''
  if (isSilent) return request.method === 'GET' || request.method === 'HEAD'
  return acceptsHtml(request)
}

/** Browsers name HTML. Scripts accept JSON, or anything. */
export const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? '').split(',').some(namesHtml)

/** A weight of zero means "anything but this". */
function namesHtml(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'text/html' && type !== 'text/*') return false
  return !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter))
}
