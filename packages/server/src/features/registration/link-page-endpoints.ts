import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { readFields, secret } from '../../http/fields.ts'
import { Page, type PageContent, pageOr, showPage } from '../../http/page.ts'
import { saying } from '../../http/replies.ts'
import { wantsPage } from '../../http/wants-page.ts'
import { Problem, problem } from '../../kernel/problems.ts'

const EXAMPLE_KEY = 'Qk7vT2xWn9LpR4sYbH1mCz6dUfJ8gAe0'

/** The body of an endpoint that uses the key of a mail. */
export const keyField = { key: secret(EXAMPLE_KEY) }

export type LinkPage = {
  /** Contains `:key`. */
  path: string
  operationIds: { show: string; submit: string }
  ask: PageContent
  done: PageContent
  tooLate: PageContent & { status: 404 }
  /** Uses the key. Refuses a bad one as not found. */
  use(key: string): Promise<void>
  /** Whether opening the link is enough. */
  onGet: boolean
}

/**
 * What the link in a mail opens. Browsers get a page, and only its button uses up the key, since mail
 * scanners open links, too. Scripts of a front end get the same as JSON.
 */
export function linkPageEndpoints(page: LinkPage): Endpoint[] {
  const { path, operationIds, ask, tooLate, use, onGet } = page
  const common = { path, access: 'by-link', throttle: 'auth_service' } as const

  async function confirm({ params, request, reply }: Pick<Call, 'params' | 'request' | 'reply'>) {
    if (wantsPage(request)) return showPage(reply, await resultOf(page, params.key ?? ''))
    const { key } = readFields(keyField, params)
    await use(key)
    return { detail: 'ok' }
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
    ...(onGet && { pages: { 404: tooLate.title } }),
    async handle(call) {
      // The path without a key is an endpoint of its own, and knows no GET.
      if (call.params.key === '') throw getRefused()
      // A HEAD request only looks at the link and must not use it up.
      if (onGet && call.request.method === 'GET') return confirm(call)
      if (!wantsPage(call.request)) throw getRefused()
      return showPage(call.reply, ask)
    },
  })

  const submit = endpoint({
    ...common,
    method: 'POST',
    operationId: operationIds.submit,
    summary: 'Confirm an address with the key in the path; the button on the page does this',
    replies: { 200: pageOr(saying('ok')) },
    refusals: ['not_found'],
    pages: { 404: tooLate.title },
    handle: confirm,
  })

  return [show, submit]
}

const getRefused = () =>
  problem('method_not_allowed', { method: 'GET' }).with('Allow', 'OPTIONS, POST')

async function resultOf({ use, done, tooLate }: LinkPage, key: string): Promise<PageContent> {
  try {
    await use(key)
    return done
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return tooLate
    throw error
  }
}
