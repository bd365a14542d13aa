import { type Call, type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Page } from '../../http/page.ts'
import { isObject } from '../../kernel/json-object.ts'
import { Problem } from '../../kernel/problems.ts'
import type { PageContent, ShowPage } from './answer-page.ts'

type Declaration = {
  path: string
  operationIds: { show: string; submit: string }
  showPage: ShowPage
  /** What the page asks; null if the key is not good. It uses nothing up. */
  ask(key: string): Promise<PageContent | null>
  /** Uses the key up, as the pressed button says, and returns what is shown then. */
  use(key: string, answer: unknown): Promise<PageContent>
  tooLate: PageContent
  /** Whether opening the link is enough. */
  onGet?: boolean
}

/**
 * The page behind a link with a key. It works without scripts. Only a button uses up the key, since
 * mail scanners open links.
 */
export function keyPageEndpoints(declared: Declaration): Endpoint[] {
  const { path, operationIds, showPage, ask, use, tooLate, onGet = false } = declared
  const common = {
    path,
    access: 'by-link',
    throttle: 'auth_service',
    documented: false,
    replies: { 200: Page },
  } as const

  async function submit({ params, request, reply }: Pick<Call, 'params' | 'request' | 'reply'>) {
    const answer = isObject(request.body) ? request.body.answer : undefined
    return showPage(request, reply, await use(params.key ?? '', answer).catch(orTooLate))
  }

  function orTooLate(error: unknown): PageContent {
    if (error instanceof Problem && error.status === 404) return tooLate
    throw error
  }

  return [
    endpoint({
      ...common,
      method: 'GET',
      operationId: operationIds.show,
      summary: 'The page behind the link of a mail',
      async handle(call) {
        const { params, request, reply } = call
        // A HEAD is a look at the link, not its use.
        if (onGet && request.method === 'GET') return submit(call)
        return showPage(request, reply, (await ask(params.key ?? '')) ?? tooLate)
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      operationId: operationIds.submit,
      summary: 'A button on that page',
      handle: submit,
    }),
  ]
}
