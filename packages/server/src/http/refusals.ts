import {
  accessTokenNotValid,
  type Fault,
  fault,
  fieldProblem,
  type PlainProblemCode,
  type Problem,
  problem,
  throttled,
  unavailable,
} from '../kernel/problems.ts'
import { EXAMPLE_WORDS, HostRefusal } from '../kernel/refuse.ts'
import { authenticationClasses, loginSetsCookies } from '../settings/authentication-classes.ts'
import type { Settings } from '../settings/settings.ts'
import type { Documented } from './endpoint.ts'
import { type Field, inspectFields } from './fields.ts'
import { mayBeAsked } from './freshness.ts'

/** Refusals by a name that is unique in the endpoint: the code and, for a fault, the field. */
export type Refusals = Record<string, Problem>

/** All refusals that an endpoint can answer with. */
export function refusalsOf(endpoint: Documented, settings: Settings): Refusals {
  const { access, throttle, method, path } = endpoint
  const asksNobody = access === 'public' && throttle === 'none'
  return {
    ...(method !== 'GET' && ofBody(endpoint)),
    ...(endpoint.query && ofFields(endpoint.query)),
    ...ofAccess(endpoint, settings),
    ...ofRestriction(endpoint, settings),
    ...ofFreshness(endpoint, settings),
    ...ofCsrf(endpoint, settings),
    // A dead link shows a page instead.
    ...(path.includes(':') && access !== 'by-link' && named('not_found')),
    ...ofService(endpoint),
    ...(throttle !== 'none' && { throttled: throttled(54) }),
    ...named('internal'),
    ...(!asksNobody && { unavailable: unavailable() }),
  }
}

const named = (...codes: PlainProblemCode[]): Refusals =>
  Object.fromEntries(codes.map((code) => [code, problem(code)]))

/** A body is parsed wherever the method allows one. Its fields are checked later. */
function ofBody({ body }: Documented): Refusals {
  const reason = 'Unexpected end of JSON input'
  return {
    ...(body && { ...ofFields(body), not_an_object: problem('not_an_object', { got: 'list' }) }),
    malformed_body: problem('malformed_body', { kind: 'JSON', reason }),
    ...named('malformed_request', 'body_too_large'),
    unsupported_media_type: problem('unsupported_media_type', { type: 'text/plain' }),
  }
}

/** Fields do not list their faults. So each field reads one bad value of every kind. */
function ofFields(fields: NonNullable<Documented['body']>): Refusals {
  const found: Refusals = {}
  const { faults: missing } = inspectFields(fields, {})
  if (Object.keys(missing).length > 0) found.required = fieldProblem(missing)
  for (const [name, field] of Object.entries(fields)) {
    for (const each of faultsOf(field)) found[each.code] ??= fieldProblem({ [name]: [each] })
  }
  return found
}

function faultsOf(field: Field<unknown>): Fault[] {
  const { maxLength = 0 } = field.schema as { maxLength?: number }
  const inputs = [null, [], '', ' !', '\0', '\ud800', 'x'.repeat(maxLength + 1)]
  const found = inputs.flatMap((input) => {
    const result = field.read(input)
    return 'faults' in result ? result.faults : []
  })
  return [...found, ...(field.faults ?? [])]
}

/** Depends on the kinds of login that are switched on. */
function ofAccess({ access }: Documented, settings: Settings): Refusals {
  if (access !== 'signed-in' && access !== 'if-signed-in') return {}
  const classes = authenticationClasses(settings)
  return {
    ...(access === 'signed-in' && named('not_authenticated')),
    ...(classes.includes('token') &&
      named('invalid_token', 'token_header_empty', 'token_header_spaces')),
    // Also if the user is deleted during the request, whatever the credential.
    ...named('user_inactive_or_deleted'),
    ...(classes.includes('jwt') && {
      ...named('bad_authorization_header', 'user_not_found', 'user_inactive'),
      access_token_not_valid: accessTokenNotValid('token_invalid'),
      access_token_expired: accessTokenNotValid('token_expired'),
      access_token_wrong_type: accessTokenNotValid('token_wrong_type'),
    }),
  }
}

/** Depends on the kinds of restricted credentials that there can be. */
function ofRestriction(
  { access, restricted }: Documented,
  { ADMIN_IMPERSONATION, API_KEYS, MFA_REQUIRED }: Settings,
): Refusals {
  if (access !== 'signed-in' && access !== 'if-signed-in') return {}
  return {
    ...(ADMIN_IMPERSONATION && !restricted?.includes('impersonation') && named('impersonating')),
    // A key may also lack the scope that the endpoint accepts.
    ...(API_KEYS && named('api_key_scope_missing')),
    // No endpoint accepts a key whose user must set up a second factor.
    ...(MFA_REQUIRED !== null &&
      (API_KEYS || !restricted?.includes('mfa_setup')) &&
      named('mfa_setup_required')),
  }
}

const ofFreshness = ({ freshness = 'not-needed' }: Documented, settings: Settings): Refusals =>
  mayBeAsked(freshness, settings) ? named('reauthentication_required') : {}

/** An example. A real refusal has the words of a hook. */
export const wordsOfHost = (): Problem => new HostRefusal(EXAMPLE_WORDS)

/** An example. A real refusal names the page that sent the request. */
export const foreignOrigin = (): Problem =>
  problem('csrf_foreign_origin', { origin: 'https://evil.example' })

const originCheck = () => ({ csrf_foreign_origin: foreignOrigin() })

const wholeCheck = () => ({
  ...named('csrf_cookie_missing', 'csrf_token_missing', 'csrf_token_incorrect'),
  ...originCheck(),
})

/**
 * Only for requests that change something, and only if a cookie authenticates them or is set by
 * them.
 */
function ofCsrf({ access, method }: Documented, settings: Settings): Refusals {
  const {
    USE_JWT,
    JWT_AUTH_COOKIE,
    JWT_AUTH_COOKIE_USE_CSRF: asks,
    JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: asksAll,
  } = settings.REST_AUTH
  if (method === 'GET' || access === 'by-link') return {}
  if (USE_JWT && asksAll) return wholeCheck()
  if (access === 'opens-session') return loginSetsCookies(settings) ? originCheck() : {}
  if (access !== 'signed-in' && access !== 'if-signed-in') return {}
  const classes = authenticationClasses(settings)
  const signsByJwt = classes.includes('jwt') && JWT_AUTH_COOKIE !== null
  if (classes.includes('session') || (signsByJwt && asks)) return wholeCheck()
  return signsByJwt ? originCheck() : {}
}

function ofService({ query, body, refusals = [], faults = {} }: Documented): Refusals {
  const fields = { ...query, ...body }
  const found: Refusals = {}
  for (const refusal of refusals) {
    const made = typeof refusal === 'string' ? problem(refusal) : refusal()
    found[made.message] = made
  }
  for (const [name, list = []] of Object.entries(faults)) {
    // The settings decide which fields exist.
    if (!(name in fields)) continue
    for (const given of list) {
      const each = typeof given === 'string' ? fault(given) : given
      found[`${name}: ${each.code}`] = fieldProblem({ [name]: [each] })
    }
  }
  return found
}
