import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/pages/page.ts'
import type { PageContent, ShownKey, ShowPage } from '../../http/pages/site-page.ts'
import { html } from '../../kernel/html.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { ServiceFacts } from '../../kernel/page-facts.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import type { PageKey } from '../../kernel/words/english.ts'
import type { Settings } from '../../settings/settings.ts'
import type { UpToAccount } from '../account/feature.ts'
import { authorizeUrl, exchangesCodes, isIssuer } from '../social/provider-client.ts'

type Needs = Pick<UpToAccount, 'place' | 'social'> & {
  show: ShowPage
  facts: ServiceFacts
}

/** The path of each page and the key of its title. */
export const pagesOf = ({ MODULES, ACCOUNT }: Settings): Record<string, PageKey> => ({
  '': 'account.title',
  'login/': 'login.title',
  ...(ACCOUNT.LOGIN_BY_CODE_ENABLED && { 'login/code/': 'code.title' }),
  'two-factor/': 'twoFactor.title',
  ...(MODULES.includes('registration') && { 'register/': 'register.title' }),
  'check-your-mail/': 'checkMail.title',
  'password/reset/': 'forgot.title',
})

type Script = NonNullable<PageContent['script']>

/**
 * The pages that a script fills, by path, with the keys of their titles. `by-link` looks at the
 * cookies of the reader, whose language it takes.
 */
export const scriptPagesEndpoints = (
  show: ShowPage,
  script: Script,
  pages: Readonly<Record<string, ShownKey>>,
  access: 'public' | 'by-link' = 'public',
): Endpoint[] =>
  Object.entries(pages).map(([path, title]) =>
    endpoint({
      method: 'GET',
      path,
      operationId: `showPage_${path}`,
      summary: 'A page of the site',
      access,
      throttle: 'none',
      documented: false,
      replies: { 200: Page },
      handle: (call) => show(call, scriptPage(title, script)),
    }),
  )

export const scriptPage = (title: ShownKey, script: Script): PageContent => ({
  title,
  body: (words) => html`<noscript><p>${words.say('noScript')}</p></noscript>`,
  script,
})

/** Values that the script of the page makes: 43 characters of base64url. */
const MADE = /^[\w-]{43}$/
/** Longer than any code of a provider. */
const LONGEST = 4096

const CALLBACK_PARAMETERS = ['code', 'state', 'error', 'iss']

/** The way to a provider and back. The script makes the state, the nonce and the verifier. */
export function socialEndpoints({ social, show, facts, place }: Needs): Endpoint[] {
  const common = { access: 'by-link', throttle: 'auth_service', documented: false } as const
  const clientNamed = ({ provider = '' }: Record<string, string>) => {
    const client = social.clients.find(({ config }) => config.name === provider)
    if (!client || !exchangesCodes(client)) throw problem('not_found')
    return client
  }

  const go = endpoint({
    ...common,
    method: 'GET',
    path: 'go/:provider',
    operationId: 'goToProvider',
    summary: 'Sends the browser to a provider',
    replies: { 302: null },
    async handle({ params, request, reply }) {
      const client = clientNamed(params)
      const given = ['state', 'nonce', 'code_challenge'].map((name) => textIn(request.query, name))
      if (!given.every((one) => MADE.test(one))) throw problem('not_found')
      const [state = '', nonce = '', challenge = ''] = given
      const proof = { state, nonce, challenge }
      const back = `${place().PAGES_PREFIX}callback/${client.config.name}?error=temporarily_unavailable&state=${state}`
      reply.header('location', await authorizeUrl(client, proof).catch(ifDown(back)))
    },
  })

  const callback = (method: 'GET' | 'POST') =>
    endpoint({
      ...common,
      method,
      path: 'callback/:provider',
      operationId: `comeBackFromProvider_${method}`,
      summary: 'Where a provider sends the browser back to; some do so by a form',
      replies: { 200: Page },
      async handle(call: Call) {
        const { params, request } = call
        const client = clientNamed(params)
        const given = method === 'GET' ? request.query : request.body
        const [code = '', state = '', error = '', iss = ''] = CALLBACK_PARAMETERS.map((key) =>
          textIn(given, key),
        )
        // The code belongs to another provider, and this one must not get it.
        const isForeign = iss !== '' && !isIssuer(client, iss)
        const back = {
          provider: client.config.name,
          code,
          state,
          error: isForeign ? 'wrong_issuer' : error,
        }
        return show(call, scriptPage('callback.title', { ...facts, callback: back }))
      },
    })

  return [go, callback('GET'), callback('POST')]
}

function textIn(given: unknown, name: string): string {
  const value = isObject(given) ? given[name] : ''
  return typeof value === 'string' && value.length <= LONGEST ? value : ''
}

/** If the provider does not answer, people get a page instead of JSON. */
const ifDown =
  (back: string) =>
  (error: unknown): string => {
    if (error instanceof Problem && error.status === 503) return back
    throw error
  }
