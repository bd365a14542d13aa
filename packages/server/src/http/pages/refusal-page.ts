import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Languages } from '../../core/languages.ts'
import type { FindPlace } from '../../core/place.ts'
import { html } from '../../kernel/html.ts'
import { Fault, type Problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import { createOrigins } from '../origins.ts'
import { acceptsHtml } from '../request.ts'
import { createSitePages, type SitePages } from './site-page.ts'

/** Limits and outages also meet people who open a link. Other refusals have pages of their own. */
const SHOWN: readonly number[] = [429, 503]

type Needs = { settings: Settings; languages: Languages; place: FindPlace }

/** Shows a refusal to people on the hosted pages. Returns null for programs, which get JSON. */
export function createRefusalPage(needs: Needs) {
  /** Made when it is first needed. Most processes never refuse a page. */
  let pages: SitePages | undefined

  return (
    { status, body: { detail }, headers }: Problem,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> | null => {
    if (!SHOWN.includes(status) || !(detail instanceof Fault)) return null
    if (!acceptsHtml(request) || !isHosted(request, needs.place)) return null
    pages ??= createSitePages({ ...needs, origins: createOrigins(needs.settings) })
    return pages.show(request, reply.headers(headers), {
      title: 'callback.title',
      status,
      body: ({ sayFault }) => html`<p>${sayFault(detail)}</p>`,
    })
  }
}

/** Whether the request is for one of the hosted pages. The API may be below them. */
function isHosted({ routeOptions: { url = '' } }: FastifyRequest, place: FindPlace): boolean {
  const { base, AUTH_PREFIX, PAGES_PREFIX } = place()
  // Most hosts strip the base from a path, but Fastify does not.
  const path = url.startsWith(`${base}/`) ? url : `${base}${url}`
  const isOfApi = AUTH_PREFIX.startsWith(PAGES_PREFIX) && path.startsWith(AUTH_PREFIX)
  return path.startsWith(PAGES_PREFIX) && !isOfApi
}
