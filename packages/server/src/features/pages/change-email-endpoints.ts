import type { Endpoint } from '../../http/endpoint.ts'
import { html } from '../../kernel/html.ts'
import type { ConfirmChange } from '../addresses/confirm-change.ts'
import type { EmailKeys } from '../registration/email-keys.ts'
import type { PageContent, ShowPage } from './answer-page.ts'
import { keyPageEndpoints } from './key-page-endpoints.ts'
import { donePage, tooLatePage } from './page-contents.ts'

type Needs = {
  emailKeys: EmailKeys
  confirmChange: ConfirmChange
  showPage: ShowPage
  prefix: string
}

/** Gives an account the new address that its owner has asked for. */
export const changeEmailEndpoints = (needs: Needs): Endpoint[] =>
  keyPageEndpoints({
    path: 'email/confirm/:key',
    operationIds: { show: 'showHostedChangePage', submit: 'submitHostedChangePage' },
    showPage: needs.showPage,
    async ask(key) {
      const found = await needs.emailKeys.find('change', key)
      return found ? question(found.email_key) : null
    },
    async use(key) {
      await needs.confirmChange(key)
      return donePage('change.done', needs.prefix)
    },
    tooLate: tooLatePage('change.tooLate', needs.prefix),
  })

const question = (email: string): PageContent => ({
  title: 'change.title',
  body: (words) => html`<p>${words.say('change.question', { email })}</p>
<form method="post" class="stack">
<button class="primary">${words.say('change.yes')}</button>
</form>`,
})
