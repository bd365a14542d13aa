import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page, type PageContent, showPage } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import { Problem } from '../../kernel/problems.ts'
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

const TOO_LATE: PageContent = {
  title: 'This link does not work any more',
  body: html`<p>It was used before, or it is too old. If your address still has to be confirmed, ask for another mail.</p>`,
  status: 404,
}

const SENT: PageContent = {
  title: 'We have sent you a mail',
  body: html`<p>Open the link in it to confirm your e-mail address. If it does not arrive, look among the unwanted mails, or ask for another one.</p>`,
}

/** The pages behind the links. Only the button uses up the key, since mail scanners open links. */
export function confirmPageEndpoints(verification: Verification): Endpoint[] {
  const common = { access: 'by-link', throttle: 'auth_service', replies: { 200: Page } } as const
  const path = 'registration/account-confirm-email/:key/'

  return [
    endpoint({
      ...common,
      method: 'GET',
      path,
      operationId: 'showConfirmEmailPage',
      summary: 'The page behind the link to confirm an address; changes nothing',
      handle: async ({ reply }) => showPage(reply, ASK),
    }),
    endpoint({
      ...common,
      method: 'POST',
      path,
      operationId: 'submitConfirmEmailPage',
      summary: 'The button on that page',
      pages: { 404: TOO_LATE.title },
      async handle({ params, reply }) {
        return showPage(reply, await resultOf(verification.verify(params.key ?? '')))
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: 'registration/account-email-verification-sent/',
      operationId: 'showVerificationSentPage',
      summary: 'The page that tells a new user to look into the mailbox',
      handle: async ({ reply }) => showPage(reply, SENT),
    }),
  ]
}

async function resultOf(verified: Promise<void>): Promise<PageContent> {
  try {
    await verified
    return DONE
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return TOO_LATE
    throw error
  }
}
