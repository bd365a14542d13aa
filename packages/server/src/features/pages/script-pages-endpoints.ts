import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/page.ts'
import { html } from '../../kernel/html.ts'
import type { Settings } from '../../settings/settings.ts'
import type { PageContent, ShowPage } from './answer-page.ts'

type Needs = { showPage: ShowPage; settings: Pick<Settings, 'MODULES'> }

/** From its path to its title. A page of a module that is off does not exist. */
const PAGES: readonly { path: string; title: string; module?: string }[] = [
  { path: '', title: 'account.title' },
  { path: 'login/', title: 'login.title' },
  { path: 'two-factor/', title: 'twoFactor.title' },
  { path: 'register/', title: 'register.title', module: 'registration' },
  { path: 'check-your-mail/', title: 'checkMail.title' },
  { path: 'password/reset/', title: 'forgot.title' },
]

/** The pages that a script fills. */
export const scriptPagesEndpoints = ({ showPage, settings }: Needs): Endpoint[] =>
  PAGES.filter(({ module }) => !module || settings.MODULES.some((name) => name === module)).map(
    ({ path, title }) =>
      endpoint({
        method: 'GET',
        path,
        operationId: `showPage_${path}`,
        summary: 'A page of the site',
        access: 'public',
        throttle: 'none',
        documented: false,
        replies: { 200: Page },
        handle: ({ request, reply }) => showPage(request, reply, scriptPage(title)),
      }),
  )

export const scriptPage = (title: string, script: object = {}): PageContent => ({
  title,
  body: (words) => html`<noscript><p>${words.say('noScript')}</p></noscript>`,
  script,
})
