import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { readFields } from '../../http/fields.ts'
import { Page } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import { Problem } from '../../kernel/problems.ts'
import { newPasswordFields } from '../passwords/password-endpoints.ts'
import type { PasswordReset } from '../passwords/password-reset.ts'
import type { PageContent, ShowPage } from './answer-page.ts'
import { donePage, tooLatePage } from './page-contents.ts'
import type { Words } from './words.ts'

type Needs = { reset: PasswordReset; showPage: ShowPage; prefix: string }

/**
 * The page behind the link of a reset mail. It works without scripts, and a script makes it more
 * comfortable.
 */
export function resetEndpoints({ reset, showPage, prefix }: Needs): Endpoint[] {
  const common = {
    path: 'password/reset/:uid/:token',
    access: 'by-link',
    throttle: 'auth_service',
    documented: false,
    replies: { 200: Page },
  } as const
  const tooLate = tooLatePage('reset.tooLate', prefix, 'password/reset/')

  async function tryToReset({ params, request, address, gone }: Call): Promise<PageContent> {
    const { body = {} } = request
    try {
      const typed = readFields(newPasswordFields, body)
      await reset.confirm(linkIn(params), typed, { client: address, gone })
      return donePage('reset.done', prefix)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      const isAboutTheLink = 'uid' in error.body || 'token' in error.body
      return isAboutTheLink ? tooLate : formWith(error.body)
    }
  }

  return [
    endpoint({
      ...common,
      method: 'GET',
      operationId: 'showHostedResetPage',
      summary: 'Asks for a new password',
      async handle({ params, request, reply }) {
        const isGood = await reset.isGood(linkIn(params))
        return showPage(request, reply, isGood ? formWith({}) : tooLate)
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      operationId: 'submitHostedResetPage',
      summary: 'Sets the new password',
      handle: async (call) => showPage(call.request, call.reply, await tryToReset(call)),
    }),
  ]
}

const linkIn = ({ uid = '', token = '' }: Record<string, string>) => ({ uid, token })

type Errors = Readonly<Record<string, unknown>>

function formWith(errors: Errors): PageContent {
  const hasErrors = Object.keys(errors).length > 0
  return {
    title: 'reset.title',
    body: (words) => html`<form method="post" class="stack">
${passwordInput('new_password1', 'password.new', errors, words)}
${passwordInput('new_password2', 'password.again', errors, words)}
<button class="primary">${words.say('reset.button')}</button>
</form>`,
    script: {},
    ...(hasErrors && { status: 400 }),
  }
}

function passwordInput(name: string, label: string, errors: Errors, words: Words) {
  const messages = [errors[name] ?? []].flat().map((one) => words.translate(String(one)))
  return html`<div class="field">
<label for="${name}">${words.say(label)}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required${
    messages.length > 0 ? html` aria-invalid="true" aria-describedby="${name}-error"` : []
  }>
${messages.length > 0 ? html`<p class="error" id="${name}-error" role="alert">${messages.join(' ')}</p>` : []}
</div>`
}
