import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Dump } from './mapping.ts'

/** A URL pattern of the project. */
export type Url = {
  /** With a slash at both ends, and parameters in braces. Null if it is not a plain path. */
  readonly path: string | null
  readonly name: string
  /** The class of its view and those that it is derived from. */
  readonly views: readonly string[]
  /** The provider of a view for social logins. */
  readonly provider: string | null
  readonly callbackUrl: string | null
  /** Its permission classes. Null if the dump does not tell. */
  readonly permissions: readonly string[] | null
}

/** What the recipe finds out besides the settings. Null if it could not find out. */
type Facts = {
  /** Of dj-rest-auth, or of django-rest-auth before it. */
  readonly version: string | null
  readonly urls: readonly Url[] | null
  readonly user: UserModel | null
  /** Whether a first social login may create an account. */
  readonly socialSignup: boolean | null
}

type UserModel = { readonly pk: string; readonly fields: readonly string[] }

/** The name in a dump. Settings of Django are in capitals, so no setting has this name. */
export const FACTS = 'latchkey'

const NOTHING: Facts = { version: null, urls: null, user: null, socialSignup: null }

export const factsOf = (dump: Dump): Facts => (dump.get(FACTS) as Facts | undefined) ?? NOTHING

export function readFacts(given: unknown): Facts {
  if (!isObject(given)) return NOTHING
  const { versions, urls, user, social_signup: socialSignup } = given
  const installed = isObject(versions) ? versions : {}
  return {
    version: versionIn(installed['dj-rest-auth'] ?? installed['django-rest-auth']),
    urls: Array.isArray(urls) ? urls.filter(isObject).map(readUrl) : null,
    user: isObject(user) ? { pk: String(user.pk), fields: texts(user.fields) } : null,
    socialSignup: typeof socialSignup === 'boolean' ? socialSignup : null,
  }
}

/** `7.0.0rc1` counts as `7.0.0`. */
const versionIn = (given: unknown): string | null =>
  /^\d{1,3}(\.\d{1,4}){0,3}/.exec(String(given ?? ''))?.[0] ?? null

const readUrl = (url: Readonly<Record<string, unknown>>): Url => ({
  path: typeof url.path === 'string' ? pathOf(url.path) : null,
  name: typeof url.name === 'string' ? url.name : '',
  views: texts(url.views),
  provider: typeof url.provider === 'string' ? url.provider : null,
  callbackUrl:
    typeof url.callback_url === 'string' && URL.canParse(url.callback_url)
      ? url.callback_url
      : null,
  permissions: Array.isArray(url.permissions) ? texts(url.permissions) : null,
})

const texts = (given: unknown): readonly string[] =>
  Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []

/** What marks the beginning and the end of a pattern. */
const ANCHORS = /\^|\$$|\\Z$|\\A/g
const GROUP = /\(\?P<(\w+)>(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()[\\])*\)/g
const CONVERTER = /<(?:\w+:)?(\w+)>/g
const PLAIN = /^\/(?:[\w.~-]+\/|\{\w+\}\/)*$/

/**
 * The path of a URL pattern of Django, of both kinds: `auth/<key>/` and `^auth/(?P<key>[-:\w]+)/$`.
 * Null if the pattern is not one path with parameters.
 */
export function pathOf(pattern: string): string | null {
  const path = pattern
    .replace(ANCHORS, '')
    .replace(GROUP, '{$1}')
    .replace(CONVERTER, '{$1}')
    .replace(/\\([./_~-])/g, '$1')
    .replace(/\/\?$/, '/')
  const whole = `/${path}/`.replace(/\/+/g, '/')
  return PLAIN.test(whole) ? whole : null
}
