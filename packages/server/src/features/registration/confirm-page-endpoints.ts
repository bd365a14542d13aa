import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import type { SitePages } from '../../http/pages/site-page.ts'
import { html } from '../../kernel/html.ts'
import { type LinkPage, linkPageEndpoints } from './link-page-endpoints.ts'

/** The pages of new users below the API. */
export const confirmPageEndpoints = (page: LinkPage, site: SitePages): Endpoint[] => [
  ...linkPageEndpoints(page, site, {
    path: 'registration/account-confirm-email/:key/',
    operationIds: { show: 'showConfirmEmailPage', submit: 'submitConfirmEmailPage' },
    isHosted: false,
  }),
  endpoint({
    method: 'GET',
    path: 'registration/account-email-verification-sent/',
    operationId: 'showVerificationSentPage',
    summary: 'Show the page that asks new users to open the mail',
    access: 'by-link',
    throttle: 'auth_service',
    replies: { 200: Page },
    handle: ({ request, reply }) =>
      site.show(request, reply, {
        title: 'checkMail.title',
        body: ({ say }) => html`<p>${say('checkMail.text')}</p>
<p class="hint">${say('checkMail.spam')}</p>`,
      }),
  }),
]
