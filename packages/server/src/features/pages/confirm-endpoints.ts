import type { Endpoint } from '../../http/endpoint.ts'
import { html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import type { Verification } from '../registration/verification.ts'
import type { PageContent, ShowPage } from './answer-page.ts'
import { keyPageEndpoints } from './key-page-endpoints.ts'
import { donePage, tooLatePage } from './page-contents.ts'

type Needs = {
  verification: Verification
  showPage: ShowPage
  settings: Pick<Settings, 'ACCOUNT' | 'PAGES_PREFIX'>
}

const NOT_MINE = 'not-mine'

/** Confirms the address of a new user, or removes it from the account of a stranger. */
export const confirmEndpoints = ({ verification, showPage, settings }: Needs): Endpoint[] =>
  keyPageEndpoints({
    path: 'confirm/:key',
    operationIds: { show: 'showHostedConfirmPage', submit: 'submitHostedConfirmPage' },
    showPage,
    async ask(key) {
      const user = await verification.accountOf(key)
      return user ? question(user) : null
    },
    async use(key, answer) {
      if (answer === NOT_MINE) {
        await verification.disown(key)
        return donePage('confirm.disowned')
      }
      await verification.verify(key)
      return donePage('confirm.done', settings.PAGES_PREFIX)
    },
    tooLate: tooLatePage('confirm.tooLate', settings.PAGES_PREFIX),
    onGet: settings.ACCOUNT.CONFIRM_EMAIL_ON_GET,
  })

const question = ({ username, email }: User): PageContent => ({
  title: 'confirm.title',
  body: (words) => html`<p>${words.say('confirm.question', { email, username })}</p>
<form method="post" class="stack choices">
<button class="primary">${words.say('confirm.yes')}</button>
<button name="answer" value="${NOT_MINE}">${words.say('confirm.notMine')}</button>
</form>
<p class="hint">${words.say('confirm.notMineHint')}</p>`,
})
