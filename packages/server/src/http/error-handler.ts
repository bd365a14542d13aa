import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asking, Languages } from '../core/languages.ts'
import type { FindPlace } from '../core/place.ts'
import { html } from '../kernel/html.ts'
import { NativeModuleError } from '../kernel/native-module.ts'
import { Fault, Problem, problem, unavailable } from '../kernel/problems.ts'
import { ENGLISH, type Language } from '../kernel/words/english.ts'
import type { Settings } from '../settings/settings.ts'
import { isOfDeletedUser, isUnavailable } from '../storage/faults.ts'
import { sendJson } from './answer-headers.ts'
import { createOrigins } from './origins.ts'
import { createSitePages, type SitePages } from './pages/site-page.ts'
import { acceptsHtml } from './request.ts'

export type RefusalAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Record<string, unknown>
}

/** What decides how an answer is worded. */
export type Speaking = { readonly settings: Settings; readonly languages: Languages }

/** The only place where a refusal becomes an answer. */
export function answerTo(
  refusal: Problem,
  asking: Asking,
  { settings, languages }: Speaking,
): RefusalAnswer {
  const { status } = refusal
  const language = languages.of(asking)
  const hasCodes = settings.ERROR_CODES || asking.headers['x-error-codes'] === '1'
  return {
    status,
    headers: {
      ...refusal.headers,
      ...(languages.isNegotiated && { 'Content-Language': language.code }),
      ...(status === 401 && { 'WWW-Authenticate': challengeOf(settings) }),
    },
    body: errorBody(refusal, settings, { language, hasCodes }),
  }
}

function challengeOf({ SIMPLE_JWT, REST_AUTH }: Settings): string {
  const [scheme] = SIMPLE_JWT.AUTH_HEADER_TYPES
  return REST_AUTH.USE_JWT ? `${scheme} realm="api"` : 'Token'
}

/** Without a place, as at the admin API, nobody gets a page. */
type Needs = Speaking & { readonly place?: FindPlace }

export function addErrorHandler(app: FastifyInstance, { place, ...speaking }: Needs): void {
  const pageOf = place && createRefusalPage({ ...speaking, place })
  app.setErrorHandler((error, request, reply) => {
    // Fastify passes it on to the error handler of the host.
    if (isOfHost(error, request)) throw error
    const found = asProblem(error, request)
    // On an unknown path, it does not matter what is wrong with the body.
    const refusal = request.is404 && OF_BODY.includes(found.message) ? problem('not_found') : found
    if (refusal.status === 503 && !refusal.isLogged)
      request.log.warn({ reqId: request.id, err: error }, 'unavailable')
    if (refusal.status === 500 && !refusal.isLogged)
      request.log.error({ reqId: request.id, err: error }, 'internal error')
    const page = pageOf?.(refusal, request, reply)
    if (page) return page
    const { status, headers, body } = answerTo(refusal, request, speaking)
    return sendJson(reply.status(status).headers(headers), JSON.stringify(body))
  })
}

/** What can be wrong with a body before anybody has looked at what it says. */
const OF_BODY = ['malformed_body', 'malformed_request', 'body_too_large', 'unsupported_media_type']

/** Whether a hook of the host has refused the request: only those and Fastify name a status so. */
function isOfHost(error: unknown, { raw }: FastifyRequest): boolean {
  // Fastify also gives a status to the error of a client that disconnects during its request.
  if (error === raw.errored) return false
  const { code, statusCode } = error as Partial<FastifyError>
  // Other libraries number their errors.
  return statusCode !== undefined && !String(code).startsWith('FST_ERR_')
}

/** Returns null if a client must not learn anything about the error. */
export function asRefusal(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof NativeModuleError || isUnavailable(error)) return unavailable()
  // The user was deleted after the credential was checked.
  if (isOfDeletedUser(error)) return problem('user_inactive_or_deleted')
  return null
}

function asProblem(error: unknown, { headers, raw }: FastifyRequest): Problem {
  // The client disconnected during its request. Nobody will read the answer.
  if (error === raw.errored) return problem('malformed_request')
  const refusal = asRefusal(error)
  if (refusal) return refusal
  const { code, statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('body_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return problem('unsupported_media_type', { type: headers['content-type'] ?? '' })
  }
  return statusCode < 500 ? problem('malformed_request') : problem('internal')
}

type ErrorSettings = Pick<Settings, 'REST_FRAMEWORK' | 'ERROR_CODES'>

const USUAL_KEY = 'non_field_errors'

type Wording = { language?: Language; hasCodes?: boolean }

/** The body of a refusal. Settings rename its keys. */
export function errorBody(
  refusal: Problem,
  { REST_FRAMEWORK, ERROR_CODES }: ErrorSettings,
  { language = ENGLISH, hasCodes = ERROR_CODES }: Wording = {},
): Record<string, unknown> {
  const { NON_FIELD_ERRORS_KEY: key, ERRORS_UNDER: under } = REST_FRAMEWORK
  const body = {
    ...renamed(refusal.bodyIn(language), key),
    ...(hasCodes && { codes: renamed(refusal.codes(), key) }),
  }
  return under !== null && refusal.status < 500 ? { [under]: body } : body
}

const renamed = <T>(body: Record<string, T>, key: string): Record<string, T> =>
  key !== USUAL_KEY && USUAL_KEY in body
    ? Object.fromEntries(Object.entries(body).map(([k, v]) => [k === USUAL_KEY ? key : k, v]))
    : body

/** Limits and outages also meet people who open a link. Other refusals have pages of their own. */
const SHOWN: readonly number[] = [429, 503]

/** Shows a refusal to people on the hosted pages. Returns null for programs, which get JSON. */
function createRefusalPage(needs: Speaking & { readonly place: FindPlace }) {
  /** Made when it is first needed. Most processes never refuse a page. */
  let pages: SitePages | undefined

  return (
    { status, body: { detail }, headers }: Problem,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> | null => {
    if (!SHOWN.includes(status) || !(detail instanceof Fault)) return null
    if (!acceptsHtml(request) || !isHosted(request, needs.place)) return null
    pages ??= createSitePages({ ...needs, origins: createOrigins(needs.settings) })
    return pages.show(
      { request, reply: reply.headers(headers), identity: null },
      {
        title: 'callback.title',
        status,
        body: ({ sayFault }) => html`<p>${sayFault(detail)}</p>`,
      },
    )
  }
}

/** Whether the request is for one of the hosted pages. The API may be below them. */
function isHosted({ routeOptions: { url = '' } }: FastifyRequest, place: FindPlace): boolean {
  const { base, AUTH_PREFIX, PAGES_PREFIX } = place()
  // Most hosts strip the base from a path, but Fastify does not.
  const path = url.startsWith(`${base}/`) ? url : `${base}${url}`
  const isOfApi = AUTH_PREFIX.startsWith(PAGES_PREFIX) && path.startsWith(AUTH_PREFIX)
  return path.startsWith(PAGES_PREFIX) && !isOfApi
}
