import { clearJwtCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import { messagePage, type PageContent } from '../../http/pages/site-page.ts'
import { SECRET_MAX } from '../../kernel/lengths.ts'
import type { ServiceFacts } from '../../kernel/page-facts.ts'
import type { UpToAccount } from '../account/feature.ts'
import { scriptPage } from './page-endpoints.ts'

/** Most people who open a used link already have an account. */
const VOID = messagePage({
  title: 'tooLate.title',
  text: 'invitation.tooLate.text',
  status: 404,
  link: { to: 'login/', words: 'toLogin' },
})

const CLOSED = messagePage({
  title: 'register.title',
  text: 'register.closed',
  status: 403,
  link: { to: 'login/', words: 'toLogin' },
})

/** What the link in an invitation opens: the form of registration, for that address. */
export const invitationEndpoint = (
  { invitations, http, settings: { ACCOUNT, MODULES } }: UpToAccount,
  facts: ServiceFacts,
): Endpoint =>
  endpoint({
    method: 'GET',
    path: 'invitation/:key',
    operationId: 'showInvitation',
    summary: 'Shows an invitation; nothing is changed yet',
    access: 'by-link',
    throttle: 'auth_service',
    documented: false,
    replies: { 200: Page },
    pages: { 403: 'Registration is closed', 404: 'The link no longer works' },
    async handle(call) {
      const { key = '' } = call.params
      const show = (page: PageContent) => http.pages.show(call, page)
      if (ACCOUNT.SIGNUP === 'closed') return show(CLOSED)
      // It was mailed before sign-up became open. By now the reader needs no invitation.
      if (ACCOUNT.SIGNUP === 'open') {
        return show(MODULES.includes('registration') ? scriptPage('register.title', facts) : VOID)
      }
      const found = key.length > SECRET_MAX ? undefined : await invitations.find(key)
      if (!found) return show(VOID)
      const invitation = { key, email: found.email_key }
      return show(scriptPage('invitation.title', { ...facts, invitation }))
    },
  })

/** Below the pages: where an operator goes to use the account of a user. */
export const IMPERSONATE = 'impersonate/'

const OVER = messagePage({
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
    async handle(call) {
      const { params, request, reply } = call
      const { cookies, csrf, pages } = http
      const { 'sec-fetch-dest': shownAs = 'document', 'sec-purpose': ahead } = request.headers
      const isOpened = request.method === 'GET' && shownAs === 'document' && ahead === undefined
      const sessionId = cookies.session.read(request)
      const session = isOpened
        ? await gate.openImpersonation(params.key ?? '', { sessionId })
        : null
      if (!session) return pages.show(call, OVER)
      // Tokens of another user in this browser must not win over the session.
      clearJwtCookies(cookies, reply)
      cookies.session.set(reply, session.id)
      csrf.renew(reply, session.loginId)
      reply.status(303).header('location', place().PAGES_PREFIX)
      return undefined
    },
  })
