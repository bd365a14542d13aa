import type { Endpoint } from '../../http/endpoint.ts'
import type { PageContent } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import { linkPageEndpoints } from '../registration/link-page-endpoints.ts'
import type { ConfirmChange } from './confirm-change.ts'

const ASK: PageContent = {
  title: 'Confirm your new e-mail address',
  body: html`<p>Press the button to use this address for your account from now on.</p>
<form method="post"><button>Confirm</button></form>`,
}

const DONE: PageContent = {
  title: 'Your e-mail address has been changed',
  body: html`<p>Thank you. You can close this page.</p>`,
}

const TOO_LATE = {
  title: 'This link no longer works',
  body: html`<p>It was already used, it is too old, or the change was cancelled. If you still want to use this address, ask for the change again.</p>`,
  status: 404,
} as const

/** A GET never uses the key, whatever the settings say about other links. */
export const changePageEndpoints = (confirmChange: ConfirmChange): Endpoint[] =>
  linkPageEndpoints({
    path: 'email/change/confirm/:key/',
    operationIds: { show: 'showEmailChangePage', submit: 'submitEmailChangePage' },
    ask: ASK,
    done: DONE,
    tooLate: TOO_LATE,
    use: confirmChange,
    onGet: false,
  })
