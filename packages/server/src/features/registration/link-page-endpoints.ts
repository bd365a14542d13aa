import { type Call, type Endpoint, endpoint, saying } from '../../http/endpoint.ts'
import { readFields, secret } from '../../http/fields.ts'
import { type BehindLink, type LinkPlace, linkEndpoints } from '../../http/pages/link-endpoints.ts'
import { messagePage, type PageContent, type SitePages } from '../../http/pages/site-page.ts'
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
  const contents = contentsOf(words)
  const isTheirs = ({ request: { body } }: Call) => !isObject(body) || body.answer !== NOT_MINE
  const use = (call: Call, key: string) => (isTheirs(call) ? page.confirm : page.disown)(key)

  const submit: BehindLink = {
    summary:
      'Confirm an address with the key in the path, or remove it with `"answer": "not-mine"`; the buttons on the page do this',
    told: saying('ok'),
    refusals: ['not_found', keyRefused],
    page(call) {
      const content = isTheirs(call) ? contents.done(call.identity !== null) : contents.disowned
      return use(call, call.params.key ?? '').then(() => content, orElse(contents.tooLate))
    },
    async script(call) {
      await use(call, readFields(keyField, call.params).key)
      return { detail: 'ok' }
    },
  }

  function confirmsAtOnce({ params, request }: Call): boolean {
    // The path without a key is another endpoint, which has no GET.
    if (params.key === '') throw getRefused()
    // A HEAD request only looks at the link and must not spend it.
    return onGet && request.method === 'GET'
  }

  const show: BehindLink = {
    summary: onGet
      ? 'Show the page that the link in the mail opens, and confirm the address'
      : 'Show the page that the link in the mail opens; nothing is changed yet',
    told: onGet ? saying('ok') : null,
    refusals: onGet ? ['not_found'] : [getRefused],
    async page(call) {
      if (confirmsAtOnce(call)) return submit.page(call)
      const account = await page.accountOf(call.params.key ?? '')
      if (account) return contents.ask(account)
      // The route of dj-rest-auth shows a page for any key.
      return { ...contents.tooLate, status: place.isHosted ? 404 : 200 }
    },
    async script(call) {
      if (confirmsAtOnce(call)) return submit.script(call)
      throw getRefused()
    },
  }

  return linkEndpoints(site, place, { show, submit })
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
