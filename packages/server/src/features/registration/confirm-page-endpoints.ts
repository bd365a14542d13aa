import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, type PageContent, showPage } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import { linkPageEndpoints } from './link-page-endpoints.ts'
import type { Verification } from './verification.ts'

const ASK: PageContent = {
  title: 'Confirm your e-mail address',
  body: html`<p>Press the button to confirm that this address is yours.</p>
<form method="post"><button>Confirm</button></form>`,
}

const DONE: PageContent = {
  title: 'Your e-mail address is confirmed',
  body: html`<p>Thank you. You can close this page and log in.</p>`,
}

const TOO_LATE = {
  title: 'This link no longer works',
  body: html`<p>It was already used, or it is too old. If your address is not confirmed yet, ask for another mail.</p>`,
  status: 404,
} as const

const SENT: PageContent = {
  title: 'We have sent you a mail',
  body: html`<p>Open the link in the mail to confirm your e-mail address. If the mail does not arrive, look into your spam folder, or ask for another one.</p>`,
}

type Needs = { verification: Verification; settings: Pick<Settings, 'ACCOUNT'> }

/** The pages of a new user. With `CONFIRM_EMAIL_ON_GET` opening the link is enough. */
export const confirmPageEndpoints = ({ verification, settings }: Needs): Endpoint[] => [
  ...linkPageEndpoints({
    path: 'registration/account-confirm-email/:key/',
    operationIds: { show: 'showConfirmEmailPage', submit: 'submitConfirmEmailPage' },
    ask: ASK,
    done: DONE,
    tooLate: TOO_LATE,
    use: verification.verify,
    onGet: settings.ACCOUNT.CONFIRM_EMAIL_ON_GET,
  }),
  endpoint({
    method: 'GET',
    path: 'registration/account-email-verification-sent/',
    operationId: 'showVerificationSentPage',
    summary: 'Show the page that asks new users to open the mail',
    access: 'by-link',
    throttle: 'auth_service',
    replies: { 200: Page },
    handle: async ({ reply }) => showPage(reply, SENT),
  }),
]
