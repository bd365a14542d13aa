import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { readFields } from '../../http/fields.ts'
import { Page, type PageContent, showPage } from '../../http/page.ts'
import { type Html, html } from '../../kernel/html.ts'
import { Problem } from '../../kernel/problems.ts'
import { newPasswordFields } from './password-endpoints.ts'
import type { PasswordReset, ResetLink } from './password-reset.ts'

const DONE: PageContent = {
  title: 'Your password has been changed',
  body: html`<p>You can close this page and log in with the new password.</p>`,
}

const TOO_LATE: PageContent = {
  title: 'This link does not work any more',
  body: html`<p>It was used before, or it is too old. Ask for another mail to choose a new password.</p>`,
  status: 404,
}

/**
 * The page behind the link of the mail. Only its button uses up the token, since mail scanners open
 * links.
 */
export function resetPageEndpoints(reset: PasswordReset): Endpoint[] {
  const common = {
    path: 'password/reset/confirm/:uid/:token/',
    access: 'by-link',
    throttle: 'auth_service',
    replies: { 200: Page },
    pages: { 404: TOO_LATE.title },
  } as const

  const show = endpoint({
    ...common,
    method: 'GET',
    operationId: 'showPasswordResetPage',
    summary: 'The page behind the link to choose a new password; changes nothing',
    handle: async ({ params, reply }) =>
      showPage(reply, (await reset.isGood(linkIn(params))) ? formWith({}) : TOO_LATE),
  })

  const submit = endpoint({
    ...common,
    method: 'POST',
    operationId: 'submitPasswordResetPage',
    summary: 'The button on that page',
    pages: { ...common.pages, 400: 'The form once more, and why the password is refused' },
    async handle({ params, request, reply, address, gone }) {
      const turn = { client: address, gone }
      return showPage(reply, await tryToReset(reset, linkIn(params), request.body ?? {}, turn))
    },
  })

  return [show, submit]
}

const linkIn = ({ uid = '', token = '' }: Record<string, string>): ResetLink => ({ uid, token })

async function tryToReset(
  reset: PasswordReset,
  link: ResetLink,
  body: unknown,
  turn: Turn,
): Promise<PageContent> {
  try {
    await reset.confirm(link, readFields(newPasswordFields, body), turn)
    return DONE
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    const isAboutTheLink = 'uid' in error.body || 'token' in error.body
    return isAboutTheLink ? TOO_LATE : formWith(error.body)
  }
}

function formWith(errors: Record<string, unknown>): PageContent {
  const hasErrors = Object.keys(errors).length > 0
  return {
    title: 'Choose a new password',
    body: html`<form method="post">
${passwordInput('new_password1', 'New password', errors)}
${passwordInput('new_password2', 'New password, once more', errors)}
<button>Set the new password</button>
</form>`,
    ...(hasErrors && { status: 400 }),
  }
}

function passwordInput(name: string, label: string, errors: Record<string, unknown>): Html {
  const messages = [errors[name] ?? []].flat().map(String)
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required>
${messages.map((message) => html`<p class="error" role="alert">${message}</p>`)}`
}
