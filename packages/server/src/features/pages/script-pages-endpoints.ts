import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import type { PageContent, ShowPage } from '../../http/pages/site-page.ts'
import { html } from '../../kernel/html.ts'
import type { ServiceFacts } from '../../kernel/page-facts.ts'
import type { Settings } from '../../settings/settings.ts'

type Needs = {
  show: ShowPage
  facts: ServiceFacts
  settings: Pick<Settings, 'MODULES' | 'ACCOUNT'>
}

/** The path of each page and the key of its title. What is switched off has no page. */
const pagesOf = ({ MODULES, ACCOUNT }: Needs['settings']): Record<string, string> => ({
  '': 'account.title',
  'login/': 'login.title',
  ...(ACCOUNT.LOGIN_BY_CODE_ENABLED && { 'login/code/': 'code.title' }),
  'two-factor/': 'twoFactor.title',
  ...(MODULES.includes('registration') && { 'register/': 'register.title' }),
  'check-your-mail/': 'checkMail.title',
  'password/reset/': 'forgot.title',
})

/** The pages that a script fills. */
export const scriptPagesEndpoints = ({ show, facts, settings }: Needs): Endpoint[] =>
  Object.entries(pagesOf(settings)).map(([path, title]) =>
    endpoint({
      method: 'GET',
      path,
      operationId: `showPage_${path}`,
      summary: 'A page of the site',
      access: 'public',
      throttle: 'none',
      documented: false,
      replies: { 200: Page },
      handle: ({ request, reply }) => show(request, reply, scriptPage(title, facts)),
    }),
  )

export const scriptPage = (
  title: string,
  script: NonNullable<PageContent['script']>,
): PageContent => ({
  title,
  body: (words) => html`<noscript><p>${words.say('noScript')}</p></noscript>`,
  script,
})
