import type { TSchema } from '@sinclair/typebox'
import type { Call, Documented, Endpoint, Method } from '../endpoint.ts'
import { wantsPage } from '../request.ts'
import { Page, pageOr } from './page.ts'
import type { PageContent, SitePages } from './site-page.ts'

/** Where the page of a link in a mail is: among the hosted pages, or below the API. */
export type LinkPlace = {
  path: string
  operationIds: { show: string; submit: string }
  /** Whether scripts also get a page instead of JSON. Such a page is not part of the API. */
  isHosted: boolean
}

type Described = 'summary' | 'body' | 'readsBody' | 'refusals' | 'faults' | 'pages'

/** What an endpoint behind a link does, for browsers and for the scripts of front ends. */
export type BehindLink = Pick<Documented, Described> & {
  page(call: Call): Promise<PageContent>
  script(call: Call): Promise<{ detail: string }>
  /** What scripts are told. Null if every script is refused. */
  told: TSchema | null
}

/** The endpoints behind a link: one shows the page, the other does what the form on it asks for. */
export function linkEndpoints(
  site: SitePages,
  { path, operationIds, isHosted }: LinkPlace,
  { show, submit }: { show: BehindLink; submit: BehindLink },
): Endpoint[] {
  return [made('GET', operationIds.show, show), made('POST', operationIds.submit, submit)]

  function made(method: Method, operationId: string, behind: BehindLink): Endpoint {
    const { page, script, told, pages, ...described } = behind
    return {
      ...described,
      method,
      path,
      operationId,
      access: 'by-link',
      throttle: 'auth_service',
      replies: { 200: told ? pageOr(told) : Page },
      pages: { 404: 'The link no longer works', ...pages },
      documented: !isHosted,
      handle: async (call) =>
        isHosted || wantsPage(call.request) ? site.show(call, await page(call)) : script(call),
    }
  }
}
