import { createPrivateKey } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../kernel/json-object.ts'
import { list, namedTexts, withoutUndefined } from '../../../kernel/setting-kinds/compounds.ts'
import { type Kind, kind, type ReadBy } from '../../../kernel/setting-kinds/kind.ts'
import { choice, flag, matching, secureUrl, text } from '../../../kernel/setting-kinds/scalars.ts'
import { IGNORED_OPTIONS, type ProviderOptions } from '../../../settings/kinds/providers.ts'
import type { App, Endpoints, Provider } from '../providers/provider.ts'
import { callbackUrl, hostName } from '../providers/url-kinds.ts'

export type Raw = Readonly<Record<string, unknown>>

/** The path in the settings, and the mistakes found so far, one line each. */
export type Place = { path: string; mistakes: string[] }

export const inside = ({ path, mistakes }: Place, key: string): Place => ({
  path: `${path}.${key}`,
  mistakes,
})

/**
 * Reads every key by its kind. Unknown keys are mistakes, and undefined values count as not given.
 * Mistakes never quote values, since some are secrets.
 */
function readKeys(
  object: Raw,
  kinds: Readonly<Record<string, Kind<unknown>>>,
  { path, mistakes }: Place,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, raw] of Object.entries(withoutUndefined(object))) {
    const parsed = Object.hasOwn(kinds, key) ? kinds[key]?.parse(raw) : undefined
    if (!parsed) {
      mistakes.push(`${path}.${key}: no such key; there are ${Object.keys(kinds).join(', ')}`)
    } else if ('mistakes' in parsed) {
      mistakes.push(...parsed.mistakes.map((one) => `${path}.${key}: expected ${one.expected}`))
    } else values[key] = parsed.value
  }
  return values
}

const object = kind('an object', (input) => (isObject(input) ? input : undefined))

/** Keys of allauth that nothing here needs. They are accepted, so that an existing config works. */
const ignored: Kind<unknown> = kind('anything', (input) => input ?? null)

/** The options of a provider, apart from its applications. */
const optionKinds = {
  SCOPE: words(),
  CALLBACK_URL: list(callbackUrl),
  ISSUER: text,
  AUTHORIZE_URL: secureUrl,
  AUTH_PARAMS: namedTexts('an object from parameter to text', /^\w+$/),
  ACCESS_TOKEN_URL: secureUrl,
  JWKS_URL: secureUrl,
  PROFILE_URL: secureUrl,
  EMAILS_URL: secureUrl,
  TOKEN_CHECK_URL: secureUrl,
  TOKEN_AUTH_METHOD: choice(['client_secret_basic', 'client_secret_post', 'none']),
  VERIFIED_EMAIL: flag,
  EMAIL_AUTHENTICATION: flag,
  ALLOWED_HOSTS: list(hostName),
  ALLOW_PRIVATE_NETWORK: flag,
} satisfies { readonly [Name in keyof ProviderOptions]-?: Kind<unknown, ProviderOptions[Name]> }

type ReadFrom<Kinds> = { [Name in keyof Kinds]?: ReadBy<Kinds[Name]> }

/** `site` is the value of the setting that names the installation of the provider. */
export type GivenOptions = ReadFrom<typeof optionKinds> & { site?: string }

/** Names may be in lower case, as some of allauth's are. */
export function readOptions(raw: Raw, { site }: Provider, place: Place): GivenOptions {
  const kinds: Record<string, Kind<unknown>> = { ...optionKinds }
  if ('setting' in site) kinds[site.setting] = site.kind
  for (const key of IGNORED_OPTIONS) kinds[key] = ignored
  const given = readKeys(inCapitals(raw), kinds, place)
  const which = 'setting' in site ? given[site.setting] : undefined
  // Every value was read by the kind of its key, which the compiler cannot see.
  return { ...given, ...(which !== undefined && { site: which }) } as GivenOptions
}

const inCapitals = (raw: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(raw).map(([key, value]) => [key.toUpperCase(), value]))

export const endpointsOf = (given: GivenOptions): Endpoints => ({
  ...(given.AUTHORIZE_URL && { authorize: given.AUTHORIZE_URL }),
  ...(given.ACCESS_TOKEN_URL && { token: given.ACCESS_TOKEN_URL }),
  ...(given.JWKS_URL && { keys: given.JWKS_URL }),
  ...(given.PROFILE_URL && { profile: given.PROFILE_URL }),
  ...(given.EMAILS_URL && { emails: given.EMAILS_URL }),
  ...(given.TOKEN_CHECK_URL && { tokenCheck: given.TOKEN_CHECK_URL }),
})

/** A list, or one text with blanks, as OAuth sends scopes. */
function words(): Kind<readonly string[]> {
  const { parse, ...rest } = list(text)
  return {
    ...rest,
    parse: (input) => parse(typeof input === 'string' ? input.trim().split(/[\s,]+/) : input),
  }
}

export type GivenApp = {
  app: App
  name: string | undefined
  title: string | undefined
  /** The options in the application itself. */
  own: GivenOptions
  /** The same, and those next to it. */
  options: GivenOptions
  place: Place
}

const textOrNothing = kind('text', (input) => (typeof input === 'string' ? input : undefined))

/** The path of an application of `openid_connect`. */
export const providerId = matching('letters, digits, - and _', /^[a-z0-9][a-z0-9_-]*$/i)

const appKinds = {
  client_id: text,
  secret: textOrNothing,
  key: textOrNothing,
  name: textOrNothing,
  provider_id: providerId,
  certificate_key: textOrNothing,
  settings: object,
}

type Given = ReadFrom<typeof appKinds>

/** One application, or null and another mistake if it is incomplete. */
export function readApp(
  raw: Raw,
  provider: Provider,
  shared: GivenOptions,
  place: Place,
): GivenApp | null {
  const before = place.mistakes.length
  const isOwn = ([key]: [string, unknown]) => Object.hasOwn(appKinds, key)
  const entries = Object.entries(raw)
  // Every value was read by the kind of its key, which the compiler cannot see.
  const given = readKeys(Object.fromEntries(entries.filter(isOwn)), appKinds, place) as Given
  const { certificate_key = given.certificate_key, ...settings } = given.settings ?? {}
  const others = Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  const own = {
    ...readOptions(others, provider, place),
    ...readOptions(settings, provider, inside(place, 'settings')),
  }
  const options = { ...shared, ...own }
  if (place.mistakes.length > before) return null

  const isPublic = options.TOKEN_AUTH_METHOD === 'none'
  const pem = String(certificate_key ?? '')
  const app = appOf({ ...given, certificate_key: pem }, provider, { isPublic, place })
  return app && { app, name: given.provider_id, title: given.name, own, options, place }
}

/** Each application has its own method, ignored options never count, and `site` repeats another. */
const UNCOMPARED: readonly string[] = ['TOKEN_AUTH_METHOD', 'site', ...IGNORED_OPTIONS]

/** A mistake for each option of an application that would have no effect. */
export const unsharedOptions = ({ own, place: { path } }: GivenApp, used: Raw): string[] =>
  Object.entries(own)
    .filter(([name, value]) => !UNCOMPARED.includes(name) && !isDeepStrictEqual(value, used[name]))
    .map(
      ([name]) => `${path}.${name}: belongs next to APPS; all applications of a provider share it`,
    )

function appOf(
  { client_id: clientId, secret = '', key: teamId = '', certificate_key: pem = '' }: Given,
  provider: Provider,
  { isPublic, place: { path, mistakes } }: { isPublic: boolean; place: Place },
): App | null {
  const need = (key: string, why: string): null => {
    mistakes.push(`${path}.${key}: must be given${why}`)
    return null
  }
  if (clientId === undefined) return need('client_id', '')
  if (isPublic) return { clientId, secret: '' }
  if (secret === '') return need('secret', ', or TOKEN_AUTH_METHOD be "none"')
  if (!provider.clientSecret) return { clientId, secret }

  if (teamId === '') return need('key', ': the id of your team')
  if (!isPrivateKey(pem)) return need('settings.certificate_key', ': a private key, as PEM')
  return { clientId, secret: '', signingKey: { keyId: secret, teamId, pem } }
}

function isPrivateKey(pem: string): boolean {
  try {
    return pem.includes('BEGIN PRIVATE KEY') && createPrivateKey(pem).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}
