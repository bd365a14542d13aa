import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import { isObject } from '../../kernel/json-object.ts'
import { Problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import type { Verification } from '../registration/verification.ts'
import type { PageContent, ShowPage } from './answer-page.ts'
import { donePage, tooLatePage } from './page-contents.ts'

type Needs = {
  verification: Verification
  showPage: ShowPage
  settings: Pick<Settings, 'ACCOUNT' | 'PAGES_PREFIX'>
}

/**
 * The page behind the link of a verification mail. It works without scripts. Only a button uses up
 * the key, since mail scanners open links.
 */
export function confirmEndpoints({ verification, showPage, settings }: Needs): Endpoint[] {
  const { ACCOUNT, PAGES_PREFIX: prefix } = settings
  const common = {
    path: 'confirm/:key',
    access: 'by-link',
    throttle: 'auth_service',
    documented: false,
    replies: { 200: Page },
  } as const

  async function confirm({ params, request, reply }: Pick<Call, 'params' | 'request' | 'reply'>) {
    const key = params.key ?? ''
    const isTheirs = !isObject(request.body) || request.body.answer !== 'not-mine'
    const used = isTheirs ? verification.verify(key) : verification.disown(key)
    const done = isTheirs ? donePage('confirm.done', prefix) : donePage('confirm.disowned')
    return showPage(request, reply, await used.then(() => done, tooLate))
  }

  return [
    endpoint({
      ...common,
      method: 'GET',
      operationId: 'showHostedConfirmPage',
      summary: 'Asks whether an address is theirs',
      async handle(call) {
        const { params, request, reply } = call
        if (ACCOUNT.CONFIRM_EMAIL_ON_GET && request.method === 'GET') return confirm(call)
        const user = await verification.accountOf(params.key ?? '')
        return showPage(request, reply, user ? ask(user) : tooLatePage('confirm.tooLate', prefix))
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      operationId: 'submitHostedConfirmPage',
      summary: 'Confirms an address, or removes it from the account',
      handle: confirm,
    }),
  ]

  function tooLate(error: unknown): PageContent {
    if (error instanceof Problem && error.status === 404) {
      return tooLatePage('confirm.tooLate', prefix)
    }
    throw error
  }
}

const ask = ({ username, email }: User): PageContent => ({
  title: 'confirm.title',
  body: (words) => html`<p>${words.say('confirm.question', { email, username })}</p>
<form method="post" class="stack">
<button class="primary">${words.say('confirm.yes')}</button>
<button name="answer" value="not-mine">${words.say('confirm.notMine')}</button>
</form>
<p class="hint">${words.say('confirm.notMineHint')}</p>`,
})
