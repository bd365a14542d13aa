import type { FastifyRequest } from 'fastify'
import { type Call, type Endpoint, endpoint, saying } from '../../http/endpoint.ts'
import { readFields, secret } from '../../http/fields.ts'
import { Page, pageOr } from '../../http/pages/page.ts'
import {
  type LinkPlace,
  messagePage,
  type PageContent,
  type SitePages,
} from '../../http/pages/site-page.ts'
import { wantsPage } from '../../http/request.ts'
import { html } from '../../kernel/html.ts'
import { isObject } from '../../kernel/json-object.ts'
import { fault, fieldProblem, Problem, problem } from '../../kernel/problems.ts'

const EXAMPLE_KEY = 'Qk7vT2xWn9LpR4sYbH1mCz6dUfJ8gAe0'

const keyField = { key: secret(EXAMPLE_KEY) }

/** For front ends that have their own page behind the link. */
export const confirmByKey = (
  named: { path: string; operationId: string; summary: string },
  confirm: (key: string) => Promise<void>,
): Endpoint =>
  endpoint({
    ...named,
    method: 'POST',
    access: 'public',
    throttle: 'auth_service',
    body: keyField,
    replies: { 200: saying('ok') },
    refusals: ['not_found'],
    async handle({ body }) {
      await confirm(body.key)
      return { detail: 'ok' }
    },
  })

/** The question of the page behind a mailed link, and what its answers do. */
export type LinkPage = {
  /** The prefix of its keys in the word lists. */
  words: 'confirm' | 'change'
  /** The account whose address the key would confirm; undefined if the key is void. */
  accountOf(key: string): Promise<Account | undefined>
  /** Spends the key. Refuses a void one as not found. */
  confirm(key: string): Promise<void>
  /** "This wasn't me": spends the key, and the account does not get, or loses, the address. */
  disown(key: string): Promise<void>
  /** True if opening the link is enough. */
  onGet: boolean
}

type Account = { readonly username: string; readonly email: string }

const NOT_MINE = 'not-mine'

/**
 * The page behind the link. It works without scripts. Only a button spends the key, because mail
 * scanners open links. Below the API, front ends get the same as JSON.
 */
export function linkPageEndpoints(page: LinkPage, site: SitePages, place: LinkPlace): Endpoint[] {
  const { words, onGet } = page
  const { path, operationIds, isHosted } = place
  const common = {
    path,
    access: 'by-link',
    throttle: 'auth_service',
    pages: { 404: 'The link no longer works' },
    documented: !isHosted,
  } as const
  const showsPage = (request: FastifyRequest) => isHosted || wantsPage(request)
  const contents = contentsOf(words)

  async function submit(call: Call) {
    const { params, request, identity } = call
    const isTheirs = !isObject(request.body) || request.body.answer !== NOT_MINE
    const use = isTheirs ? page.confirm : page.disown
    if (showsPage(request)) {
      const content = isTheirs ? contents.done(identity !== null) : contents.disowned
      const result = use(params.key ?? '').then(() => content, orElse(contents.tooLate))
      return site.show(call, await result)
    }
    await use(readFields(keyField, params).key)
    return { detail: 'ok' as const }
  }

  const show = endpoint({
    ...common,
    method: 'GET',
    operationId: operationIds.show,
    summary: onGet
      ? 'Show the page that the link in the mail opens, and confirm the address'
      : 'Show the page that the link in the mail opens; nothing is changed yet',
    replies: { 200: onGet ? pageOr(saying('ok')) : Page },
    refusals: onGet ? ['not_found'] : [getRefused],
    async handle(call) {
      const { params, request } = call
      // The path without a key is another endpoint, which has no GET.
      if (params.key === '') throw getRefused()
      // A HEAD request only looks at the link and must not spend it.
      if (onGet && request.method === 'GET') return submit(call)
      if (!showsPage(request)) throw getRefused()
      const account = await page.accountOf(params.key ?? '')
      if (account) return site.show(call, contents.ask(account))
      // The route of dj-rest-auth shows a page for any key.
      const status = isHosted ? 404 : 200
      return site.show(call, { ...contents.tooLate, status })
    },
  })

  return [
    show,
    endpoint({
      ...common,
      method: 'POST',
      operationId: operationIds.submit,
      summary:
        'Confirm an address with the key in the path, or remove it with `"answer": "not-mine"`; the buttons on the page do this',
      replies: { 200: pageOr(saying('ok')) },
      refusals: ['not_found', keyRefused],
      handle: submit,
    }),
  ]
}

/** A key in a path can have no other fault. */
const keyRefused = () => fieldProblem({ key: [fault('null_characters')] })

const getRefused = () =>
  problem('method_not_allowed', { method: 'GET' }).with('Allow', 'OPTIONS, POST')

const orElse =
  (tooLate: PageContent) =>
  (error: unknown): PageContent => {
    if (error instanceof Problem && error.status === 404) return tooLate
    throw error
  }

const TO_ACCOUNT = { to: '', words: 'toAccount' } as const

const contentsOf = (words: LinkPage['words']) => ({
  ask: ({ username, email }: Account): PageContent => ({
    title: `${words}.title`,
    body: ({ say }) => html`<p>${say(`${words}.question`, { email, username })}</p>
<form method="post">
<button class="primary">${say(`${words}.yes`)}</button>
<button name="answer" value="${NOT_MINE}">${say('notMine')}</button>
</form>
<p class="hint">${say(`${words}.notMineHint`)}</p>`,
  }),

  done: (isSignedIn: boolean): PageContent =>
    messagePage({
      title: `${words}.done.title`,
      text: `${words}.done.text`,
      link: isSignedIn ? TO_ACCOUNT : { to: 'login/', words: 'toLogin' },
    }),

  disowned: messagePage({ title: `${words}.disowned.title`, text: `${words}.disowned.text` }),

  tooLate: messagePage({
    title: 'tooLate.title',
    text: `${words}.tooLate.text`,
    status: 404,
    link: TO_ACCOUNT,
  }),
})
