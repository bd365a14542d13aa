import { isObject } from '../../../../server/src/kernel/json-object.ts'
import type { Answer } from './answer.ts'
import type { Difference } from './compare.ts'
import type { Step } from './script.ts'

/** Two answers to the same request, and one place where they differ. */
type Case = {
  readonly step: Pick<Step, 'name' | 'trait'>
  readonly old: Answer
  readonly young: Answer
  readonly difference: Difference
}

type Reason = { readonly why: string; fits(found: Case): boolean }

/** Why Latchkey differs from dj-rest-auth on purpose. */
const REASONS: readonly Reason[] = [
  {
    why: 'A stale credential keeps nobody from logging in, because endpoints that need no login ignore it.',
    fits: ({ step, old, young }) =>
      step.trait === 'stale' && isRefusedCredential(old) && !isRefusedCredential(young),
  },
  {
    why: 'Every path is served with and without its trailing slash, without a redirect.',
    fits: ({ step, old }) =>
      step.trait === 'no-slash' && (old.status >= 500 || old.status === 404 || isRedirect(old)),
  },
  {
    why: 'Unknown paths are answered in JSON, not with a page.',
    fits: ({ step, old, young }) =>
      (step.trait === 'unknown-path' || young.status === 404) &&
      old.status === 404 &&
      young.status === 404 &&
      isPage(old),
  },
  {
    why: 'A request without a credential gets 401, even if only sessions are accepted.',
    fits: ({ old, young }) =>
      old.status === 403 && young.status === 401 && detailOf(old) === detailOf(young),
  },
  {
    why: 'WWW-Authenticate is Bearer if JSON Web Tokens are on, and Token otherwise. In Django the first authentication class decides.',
    fits: ({ difference: { at, old, new: young } }) =>
      at === 'header www-authenticate' && [old, young].every(isChallenge),
  },
  {
    why: 'A refresh says when tokens expire only with REST_AUTH.JWT_AUTH_RETURN_EXPIRATION, like a login.',
    fits: ({ step, difference: { at, new: young } }) =>
      step.name === 'token/refresh/' &&
      /^body\.(access|refresh)_expiration$/.test(at) &&
      young === '-',
  },
  {
    why: 'Another parser describes mistakes in JSON in other words.',
    fits: ({ old, young, difference }) =>
      difference.at === 'body.detail' && [old, young].every(isParseError),
  },
  {
    why: 'An anonymous logout succeeds, because the client is already logged out.',
    fits: ({ step, old, young }) =>
      step.name.startsWith('logout/ of nobody') && old.status === 401 && young.status === 200,
  },
  {
    why: 'An empty refresh token counts as none.',
    fits: ({ step, old }) => step.trait === 'empty-refresh' && old.status === 400,
  },
  {
    why: 'The refresh token is left out of the body only if a cookie carries it.',
    fits: ({ difference: { at, old, new: young } }) =>
      at === 'body.refresh' && old === '""' && young === '<JWT>',
  },
  {
    why: 'With REST_AUTH.ANSWER_NAMES an answer has a value under several names, for old and new front ends.',
    fits: ({ old, young, difference: { at, old: before } }) =>
      before === '-' && isOtherName(at, old, young),
  },
  {
    why: 'With JSON Web Tokens a login opens no session, unless REST_AUTH.SESSION_LOGIN is set.',
    fits: ({ old, young, difference: { at, new: here } }) =>
      /^cookie (sessionid|csrftoken)$/.test(at) &&
      here === '-' &&
      hasAccess(old) &&
      hasAccess(young),
  },
  {
    why: 'Cookies are Secure if PUBLIC_URL is https. In Django they are Secure only if the settings say so.',
    fits: ({ difference: { at, old, new: young } }) =>
      at.startsWith('cookie ') && old !== young && old === young.replace('; Secure', ''),
  },
  {
    why: 'A malformed uid gets the same error as a wrong one. With UUIDs, Django explains what a UUID is.',
    fits: ({ step, old, young }) =>
      step.name.startsWith('password/reset/confirm/') &&
      old.status === young.status &&
      JSON.stringify(old.body).includes('is not a valid UUID'),
  },
  {
    why: 'A user with a second factor is asked for it at every login.',
    fits: ({ old, young }) =>
      old.status === 200 && isObject(young.body) && young.body.mfa_required === true,
  },
  {
    why: 'A logout ends the access tokens of that login at once, not when they expire.',
    fits: ({ step, old, young }) =>
      step.trait === 'after-logout' && old.status === 200 && young.status === 401,
  },
  {
    why: 'Limits are on by default (ACCOUNT.RATE_LIMITS). Wait a few minutes and try again.',
    fits: ({ young }) => young.status === 429,
  },
]

/** Why two answers differ on purpose. Null if they do not. */
export const explain = (found: Case): string | null =>
  REASONS.find(({ fits }) => fits(found))?.why ?? null

const isChallenge = (value: string): boolean => value === 'Token' || value.startsWith('Bearer ')
const isRefusedCredential = ({ status }: Answer): boolean => status === 401
const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400
const isPage = ({ body }: Answer): boolean => typeof body === 'string' && /^\s*</.test(body)
const hasAccess = ({ body }: Answer): boolean => isObject(body) && typeof body.access === 'string'

/** The names that dj-rest-auth has had for what a login gives. */
const GIVEN = /^(?:key|token|user|(?:access|refresh)(?:_token|_expiration)?)$/

/** Whether what is at this place is there under a name of the old answer, too. */
function isOtherName(at: string, { body: former }: Answer, { body }: Answer): boolean {
  const [, name = ''] = /^body\.([^.]+)/.exec(at) ?? []
  if (!isObject(former) || !isObject(body) || !(name in body) || name in former) return false
  const value = JSON.stringify(body[name])
  return Object.keys(former).some(
    (other) => GIVEN.test(other) && value === JSON.stringify(body[other]),
  )
}

const detailOf = ({ body }: Answer): unknown => (isObject(body) ? body.detail : undefined)

const isParseError = (answer: Answer): boolean =>
  String(detailOf(answer)).startsWith('JSON parse error - ')
