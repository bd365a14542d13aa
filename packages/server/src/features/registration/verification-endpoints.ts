import { type Endpoint, endpoint, saying } from '../../http/endpoint.ts'
import { email } from '../../http/fields.ts'
import { Page } from '../../http/pages/page.ts'
import type { SitePages } from '../../http/pages/site-page.ts'
import { html } from '../../kernel/html.ts'
import { confirmByKey, type LinkPage, linkPageEndpoints } from './link-page-endpoints.ts'
import type { Verification } from './verification.ts'

export function verificationEndpoints({ verify, resend }: Verification): Endpoint[] {
  const summary = 'Confirm an address with the key from the mail'
  return [
    confirmByKey(
      { path: 'registration/verify-email/', operationId: 'verifyEmail', summary },
      verify,
    ),
    confirmByKey(
      { path: 'registration/account-confirm-email/', operationId: 'confirmEmail', summary },
      verify,
    ),
    endpoint({
      method: 'POST',
      path: 'registration/resend-email/',
      operationId: 'resendVerificationEmail',
      summary: 'Send the link to confirm an address again, if it is not confirmed yet',
      access: 'public',
      throttle: 'auth_service',
      limit: 'verify_mail',
      body: { email: email() },
      replies: { 200: saying('ok') },
      async handle({ body }) {
        await resend(body.email)
        return { detail: 'ok' }
      },
    }),
  ]
}

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
    handle: (call) =>
      site.show(call, {
        title: 'checkMail.title',
        body: ({ say }) => html`<p>${say('checkMail.text')}</p>
<p class="hint">${say('checkMail.spam')}</p>`,
      }),
  }),
]
