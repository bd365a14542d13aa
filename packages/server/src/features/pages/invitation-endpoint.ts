import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import { messagePage, type PageContent, readBy } from '../../http/pages/site-page.ts'
import { SECRET_MAX } from '../../kernel/lengths.ts'
import type { ServiceFacts } from '../../kernel/page-facts.ts'
import type { UpToAccount } from '../account/feature.ts'
import { scriptPage } from './page-endpoints.ts'

/** Most people who open a used link have an account since they used it. */
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
    async handle({ params: { key = '' }, request, reply, identity }) {
      const show = (page: PageContent) =>
        http.pages.show(request, reply, { ...page, ...readBy(identity) })
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
