import type { Host } from '../../core/host/host.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { readFields } from '../../http/fields.ts'
import { type PageContent, pageOr, showPage } from '../../http/page.ts'
import { saying } from '../../http/replies.ts'
import { wantsPage } from '../../http/wants-page.ts'
import { type Html, html } from '../../kernel/html.ts'
import { isObject } from '../../kernel/json-object.ts'
import { Problem } from '../../kernel/problems.ts'
import { confirmFields, newPasswordFaults, newPasswordFields, RESET } from './password-endpoints.ts'
import { type PasswordReset, type ResetLink, tokenRefused, uidRefused } from './password-reset.ts'

const DONE: PageContent = {
  title: 'Your password has been changed',
  body: html`<p>You can close this page and log in with the new password.</p>`,
}

const TOO_LATE: PageContent = {
  title: 'This link no longer works',
  body: html`<p>It was already used, or it is too old. Ask for another mail to choose a new password.</p>`,
  status: 404,
}

type Needs = { reset: PasswordReset; host: Host }

/**
 * What the link in the mail opens. Browsers get a page, and only its button uses up the token,
 * since mail scanners open links, too. Scripts of a front end get the same as JSON.
 */
export function resetPageEndpoints({ reset, host }: Needs): Endpoint[] {
  const common = {
    path: 'password/reset/confirm/:uid/:token/',
    access: 'by-link',
    throttle: 'auth_service',
    refusals: [uidRefused, tokenRefused],
    pages: { 404: TOO_LATE.title },
  } as const

  const show = endpoint({
    ...common,
    method: 'GET',
    operationId: 'showPasswordResetPage',
    summary:
      'Show the page that the link in the mail opens, or tell whether the link works; the link stays valid',
    replies: { 200: pageOr(saying('ok')) },
    async handle({ params, request, reply }) {
      const link = linkIn(params)
      if (wantsPage(request)) {
        return showPage(reply, (await reset.isGood(link)) ? formWith({}) : TOO_LATE)
      }
      await reset.check(link)
      return { detail: 'ok' }
    },
  })

  const submit = endpoint({
    ...common,
    method: 'POST',
    operationId: 'submitPasswordResetPage',
    summary:
      'Choose a new password with the uid and the token in the path; the form on the page does this',
    body: newPasswordFields,
    readsBody: true,
    replies: { 200: pageOr(saying(RESET)) },
    faults: newPasswordFaults(host),
    pages: { ...common.pages, 400: 'The form again, with the reasons why the password is refused' },
    async handle({ params, request, reply, address, gone }) {
      const turn = { client: address, gone }
      const link = linkIn(params)
      const { body = {} } = request
      if (wantsPage(request)) return showPage(reply, await tryToReset(reset, link, body, turn))
      const sent = isObject(body) ? { ...body, ...link } : body
      const { uid, token, ...typed } = readFields(confirmFields, sent)
      await reset.confirm({ uid, token }, typed, turn)
      return { detail: RESET }
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
${passwordInput('new_password2', 'Repeat the new password', errors)}
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
