import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { readFields } from '../../http/fields.ts'
import { Page, type PageContent, pageOr, showPage } from '../../http/page.ts'
import { saying } from '../../http/replies.ts'
import { wantsPage } from '../../http/wants-page.ts'
import { html } from '../../kernel/html.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Verification } from './verification.ts'
import { keyField } from './verification-endpoints.ts'

const ASK: PageContent = {
  title: 'Confirm your e-mail address',
  body: html`<p>Press the button to confirm that this address is yours.</p>
<form method="post"><button>Confirm</button></form>`,
}

const DONE: PageContent = {
  title: 'Your e-mail address is confirmed',
  body: html`<p>Thank you. You can close this page and log in.</p>`,
}

const TOO_LATE: PageContent = {
  title: 'This link no longer works',
  body: html`<p>It was already used, or it is too old. If your address is not confirmed yet, ask for another mail.</p>`,
  status: 404,
}

const SENT: PageContent = {
  title: 'We have sent you a mail',
  body: html`<p>Open the link in the mail to confirm your e-mail address. If the mail does not arrive, look into your spam folder, or ask for another one.</p>`,
}

type Needs = { verification: Verification; settings: Pick<Settings, 'ACCOUNT'> }

/**
 * What the link in the mail opens. Browsers get a page, and only its button uses up the key, since
 * mail scanners open links, too. Scripts of a front end get the same as JSON. With
 * `CONFIRM_EMAIL_ON_GET` opening the link is enough for both.
 */
export function confirmPageEndpoints({ verification, settings }: Needs): Endpoint[] {
  const { CONFIRM_EMAIL_ON_GET: onGet } = settings.ACCOUNT
  const common = { access: 'by-link', throttle: 'auth_service' } as const
  const path = 'registration/account-confirm-email/:key/'

  async function confirm({ params, request, reply }: Pick<Call, 'params' | 'request' | 'reply'>) {
    if (wantsPage(request)) {
      return showPage(reply, await resultOf(verification.verify(params.key ?? '')))
    }
    const { key } = readFields(keyField, params)
    await verification.verify(key)
    return { detail: 'ok' }
  }

  return [
    endpoint({
      ...common,
      method: 'GET',
      path,
      operationId: 'showConfirmEmailPage',
      summary: onGet
        ? 'Show the page that the link in the mail opens, and confirm the address'
        : 'Show the page that the link in the mail opens; nothing is changed yet',
      replies: { 200: onGet ? pageOr(saying('ok')) : Page },
      refusals: onGet ? ['not_found'] : [getRefused],
      ...(onGet && { pages: { 404: TOO_LATE.title } }),
      async handle(call) {
        // A HEAD request only looks at the link and must not use it up.
        if (onGet && call.request.method === 'GET') return confirm(call)
        if (!wantsPage(call.request)) throw getRefused()
        return showPage(call.reply, ASK)
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path,
      operationId: 'submitConfirmEmailPage',
      summary: 'Confirm an address with the key in the path; the button on the page does this',
      replies: { 200: pageOr(saying('ok')) },
      refusals: ['not_found'],
      pages: { 404: TOO_LATE.title },
      handle: confirm,
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: 'registration/account-email-verification-sent/',
      operationId: 'showVerificationSentPage',
      summary: 'Show the page that asks new users to open the mail',
      replies: { 200: Page },
      handle: async ({ reply }) => showPage(reply, SENT),
    }),
  ]
}

const getRefused = () =>
  problem('method_not_allowed', { method: 'GET' }).with('Allow', 'OPTIONS, POST')

async function resultOf(verified: Promise<void>): Promise<PageContent> {
  try {
    await verified
    return DONE
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return TOO_LATE
    throw error
  }
}
