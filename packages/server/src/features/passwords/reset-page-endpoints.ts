import type { Host } from '../../core/host/host.ts'
import { type Endpoint, saying, telling } from '../../http/endpoint.ts'
import { readFields } from '../../http/fields.ts'
import { type BehindLink, type LinkPlace, linkEndpoints } from '../../http/pages/link-endpoints.ts'
import {
  messagePage,
  type PageContent,
  type PageWords,
  type ShownKey,
  type SitePages,
} from '../../http/pages/site-page.ts'
import { type Html, html } from '../../kernel/html.ts'
import { isObject } from '../../kernel/json-object.ts'
import { type Fault, nullIfRefused, Problem } from '../../kernel/problems.ts'
import { confirmFields, newPasswordFaults, newPasswordFields } from './password-endpoints.ts'
import { type PasswordReset, type ResetLink, tokenRefused, uidRefused } from './password-reset.ts'

type Needs = { passwordReset: PasswordReset; host: Host; site: SitePages }

/** With a script the form needs no second field, and shows how strong a password is. */
type Place = LinkPlace & Pick<PageContent, 'script'>

/**
 * The page behind the link. It works without scripts. Only its button spends the token, since mail
 * scanners open links, too. Below the API, scripts of a front end get the same as JSON.
 */
export function resetPageEndpoints(
  { passwordReset, host, site }: Needs,
  { script, ...place }: Place,
): Endpoint[] {
  const refusals = [uidRefused, tokenRefused]
  // The script replaces the form, so a form with errors has none.
  const freshForm = { ...form({}), ...(script && { script }) }

  const show: BehindLink = {
    summary:
      'Show the page that the link in the mail opens, or tell whether the link works; the link stays valid',
    told: saying('ok'),
    refusals,
    async page({ params }) {
      const owner = await passwordReset.ownerOf(linkIn(params)).catch(nullIfRefused)
      return owner ? freshForm : tooLate
    },
    async script({ params }) {
      await passwordReset.ownerOf(linkIn(params))
      return { detail: 'ok' }
    },
  }

  const submit: BehindLink = {
    summary:
      'Choose a new password with the uid and the token in the path; the form on the page does this',
    body: newPasswordFields,
    readsBody: true,
    told: telling('password_reset'),
    refusals,
    faults: newPasswordFaults(host),
    pages: { 400: 'The form again, with the reasons why the password is refused' },
    async page({ params, request: { body = {} }, turn }) {
      try {
        await passwordReset.confirm(linkIn(params), readFields(newPasswordFields, body), turn)
        return done
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 400) throw error
        const isAboutTheLink = 'uid' in error.body || 'token' in error.body
        return isAboutTheLink ? tooLate : form(error.body as Errors)
      }
    },
    async script({ params, request: { body = {} }, turn, say }) {
      const sent = isObject(body) ? { ...body, ...linkIn(params) } : body
      const { uid, token, ...typed } = readFields(confirmFields, sent)
      await passwordReset.confirm({ uid, token }, typed, turn)
      return { detail: say('password_reset') }
    },
  }

  return linkEndpoints(site, place, { show, submit })
}

const linkIn = ({ uid = '', token = '' }: Record<string, string>): ResetLink => ({ uid, token })

/** After a reset nobody is signed in. */
const done = messagePage({
  title: 'reset.done.title',
  text: 'reset.done.text',
  link: { to: 'login/', words: 'toLogin' },
})

const tooLate = messagePage({
  title: 'tooLate.title',
  text: 'reset.tooLate.text',
  status: 404,
  link: { to: 'password/reset/', words: 'reset.tooLate.link' },
})

type Errors = Readonly<Record<string, readonly Fault[]>>

const form = (errors: Errors): PageContent => ({
  title: 'reset.title',
  body: (words) => html`<form method="post">
${passwordInput('new_password1', 'password.new', errors, words)}
${passwordInput('new_password2', 'password.again', errors, words)}
<button class="primary">${words.say('reset.button')}</button>
</form>`,
  status: Object.keys(errors).length > 0 ? 400 : 200,
})

function passwordInput(name: string, label: ShownKey, errors: Errors, words: PageWords): Html {
  const messages = (errors[name] ?? []).map(words.sayFault)
  const isWrong = messages.length > 0
  return html`<div class="field">
<label for="${name}">${words.say(label)}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required${
    isWrong ? html` aria-invalid="true" aria-describedby="${name}-error"` : []
  }>
${isWrong ? html`<p class="error" id="${name}-error" role="alert">${messages.join(' ')}</p>` : []}
</div>`
}
