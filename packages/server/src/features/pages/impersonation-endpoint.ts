import { clearJwtCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import { messagePage } from '../../http/pages/site-page.ts'
import type { UpToAccount } from '../account/feature.ts'

/** Below the pages: where an operator goes to use the account of a user. */
export const IMPERSONATE = 'impersonate/'

const VOID = messagePage({
  title: 'tooLate.title',
  text: 'impersonation.tooLate.text',
  status: 404,
})

/** Opening the link starts the session. So only a browser that shows the page can use it. */
export const impersonationEndpoint = ({ gate, http, place }: UpToAccount): Endpoint =>
  endpoint({
    method: 'GET',
    path: `${IMPERSONATE}:key`,
    operationId: 'openImpersonation',
    summary: 'Starts the session of an operator who uses the account of a user',
    access: 'by-link',
    throttle: 'auth_service',
    documented: false,
    replies: { 200: Page, 303: null },
    pages: { 404: 'The link no longer works' },
    async handle({ params, request, reply }) {
      const { cookies, csrf, pages } = http
      const { 'sec-fetch-dest': shownAs = 'document', 'sec-purpose': ahead } = request.headers
      const isOpened = request.method === 'GET' && shownAs === 'document' && ahead === undefined
      const sessionId = cookies.session.read(request)
      const session = isOpened
        ? await gate.openImpersonation(params.key ?? '', { sessionId })
        : null
      if (!session) return pages.show(request, reply, VOID)
      // Tokens of another user in this browser must not win over the session.
      clearJwtCookies(cookies, reply)
      cookies.session.set(reply, session.id)
      csrf.renew(reply, session.loginId)
      reply.status(303).header('location', place().PAGES_PREFIX)
      return undefined
    },
  })
