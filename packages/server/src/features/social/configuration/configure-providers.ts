import { isObject } from '../../../kernel/json-object.ts'
import type { NamedObjects } from '../../../kernel/setting-kinds/compounds.ts'
import { SettingsError } from '../../../kernel/settings-error.ts'
import { providers } from '../providers/all.ts'
import { openidConnect } from '../providers/openid-connect.ts'
import type { App, ClientAuth, Endpoints, Provider, Redirect, Site } from '../providers/provider.ts'
import {
  endpointsOf,
  type GivenApp,
  type GivenOptions,
  inside,
  type Place,
  providerId,
  type Raw,
  readApp,
  readOptions,
  unsharedOptions,
} from './read-options.ts'

/** Reads `SOCIALACCOUNT.PROVIDERS` and checks every key. A wrong one stops the start. */
export function configureProviders(blocks: NamedObjects): ConfiguredProvider[] {
  const place: Place = { path: 'SOCIALACCOUNT.PROVIDERS', mistakes: [] }
  const configured = Object.entries(blocks).flatMap(([id, block]) =>
    readBlock(id, block, inside(place, id)),
  )
  place.mistakes.push(...unusableNames(configured, place.path))
  if (place.mistakes.length > 0) throw new SettingsError(place.mistakes)
  return configured
}

/**
 * Providers with the names of wrong ones, to go on with the check of the settings. Otherwise `ROUTES`
 * would be blamed for paths of these providers.
 */
export function standIns(blocks: NamedObjects): ConfiguredProvider[] {
  const usable = configureProviders({ google: { APP: { client_id: '-', secret: '-' } } })
  const names = new Set(Object.entries(blocks).flatMap(([id, block]) => [id, ...idsIn(block)]))
  return [...names].flatMap((name) => usable.map((one) => ({ ...one, name })))
}

/** The paths of its applications, even if the block is wrong. */
const idsIn = ({ APP, APPS }: Raw): string[] =>
  [APP, APPS].flat().flatMap((app) => {
    const parsed = isObject(app) ? providerId.parse(app.provider_id) : null
    return parsed && 'value' in parsed ? [parsed.value] : []
  })

function readBlock(id: string, { APP, APPS, ...rest }: Raw, place: Place): ConfiguredProvider[] {
  const { path, mistakes } = place
  const provider = providers.find((one) => one.id === id)
  if (!provider) {
    const known = providers.map((one) => one.id).join(', ')
    mistakes.push(`${path}: no such provider; there are ${known}`)
    return []
  }
  const before = mistakes.length
  const shared = readOptions(rest, provider, place)
  const apps = rawApps(APP, APPS, place).flatMap(
    ({ raw, key }) => readApp(raw, provider, shared, inside(place, key)) ?? [],
  )
  if (mistakes.length > before) return []
  return provider === openidConnect ? issuersOf(apps) : namedOf(provider, apps, place)
}

function rawApps(
  APP: unknown,
  APPS: unknown,
  { path, mistakes }: Place,
): { raw: Raw; key: string }[] {
  if (APP !== undefined && APPS !== undefined) {
    mistakes.push(`${path}: has both APP and APPS`)
    return []
  }
  const given: unknown = APPS === undefined ? [APP] : APPS
  if (!Array.isArray(given) || given.length === 0 || !given.every(isObject)) {
    mistakes.push(`${path}.APP: expected an object with client_id and secret, or a list as APPS`)
    return []
  }
  return given.map((raw, index) => ({ raw, key: APPS === undefined ? 'APP' : `APPS.${index}` }))
}

/**
 * The applications of a known provider share one path, such as those of a web page and of a phone
 * app.
 */
function namedOf(provider: Provider, apps: readonly GivenApp[], place: Place) {
  const [first, ...others] = apps
  if (!first) return []
  const unshared = others.flatMap((app) => unsharedOptions(app, first.options))
  place.mistakes.push(...unshared)
  if (unshared.length > 0) return []
  const all = [first.app, ...others.map(({ app }) => app)] as const
  const { id: name, title } = provider
  return assembleProvider({ name, title, provider, apps: all, options: first.options }, place)
}

/** Each application of `openid_connect` is a provider with a path of its own. */
const issuersOf = (given: readonly GivenApp[]): ConfiguredProvider[] =>
  given.flatMap(({ app, name, title, options, place }) => {
    if (name !== undefined) {
      const parts = { name, title: title || name, provider: openidConnect }
      return assembleProvider({ ...parts, apps: [app], options }, place)
    }
    place.mistakes.push(`${place.path}.provider_id: must be given; it is the path`)
    return []
  })

function unusableNames(configured: readonly ConfiguredProvider[], path: string): string[] {
  const names = configured.map(({ name }) => name.toLowerCase())
  return names.flatMap((name, index) => {
    if (RESERVED_NAMES.includes(name)) return [`${path}: ${name} is the path of something else`]
    return names.indexOf(name) < index ? [`${path}: ${name} is the path of two providers`] : []
  })
}

/** A provider as this deployment uses it. */
export type ConfiguredProvider = {
  /** Its path, and its name in the identities of its users. */
  name: string
  title: string
  provider: Provider
  /** Each may be the audience of a token. The first one exchanges codes. */
  apps: readonly [App, ...App[]]
  site: Site
  /** Null if discovery or the provider decides. */
  clientAuth: ClientAuth | null
  scopes: readonly string[]
  callbackUrls: readonly string[]
  redirect: Redirect
  /** Further parameters of the redirect from our own pages. */
  authParams: Readonly<Record<string, string>>
  /** False if the provider's word that an address is verified does not count. */
  isTrustedOnEmail: boolean
  /** Whether a verified address may connect it with an account. Null: as for all providers. */
  linksByEmail: boolean | null
  /** The only places that are called for this provider. */
  origins: ReadonlySet<string>
  allowPrivate: boolean
}

type Parts = Pick<ConfiguredProvider, 'name' | 'title' | 'provider' | 'apps'> & {
  options: GivenOptions
}

/** Builds a provider. Returns none, and adds a mistake, if a required setting is missing. */
function assembleProvider(
  { options, ...parts }: Parts,
  { path, mistakes }: Place,
): ConfiguredProvider[] {
  const { provider } = parts
  const base = siteOf(provider, options.site)
  if ('missing' in base) {
    mistakes.push(`${path}.${base.missing}: must be given: ${base.expected}`)
    return []
  }
  const site: Site = {
    ...base,
    issuers: options.ISSUER === undefined ? base.issuers : [options.ISSUER],
    endpoints: { ...base.endpoints, ...endpointsOf(options) },
  }
  const scopes = options.SCOPE ?? provider.scopes
  return [
    {
      ...parts,
      site,
      clientAuth: options.TOKEN_AUTH_METHOD ?? null,
      scopes,
      callbackUrls: options.CALLBACK_URL ?? [],
      // Only an ID token carries the nonce, and without this scope none comes.
      redirect: { pkce: true, nonce: scopes.includes('openid'), ...provider.redirect },
      authParams: options.AUTH_PARAMS ?? {},
      isTrustedOnEmail: options.VERIFIED_EMAIL ?? true,
      linksByEmail: options.EMAIL_AUTHENTICATION ?? null,
      origins: new Set([
        ...Object.values(calledEndpoints(site)).map(originOf),
        ...(site.discovery ? [originOf(site.discovery)] : []),
        ...(options.ALLOWED_HOSTS ?? []),
      ]),
      allowPrivate: options.ALLOW_PRIVATE_NETWORK ?? false,
    },
  ]
}

const calledEndpoints = ({ endpoints: { authorize, ...called } }: Site): Endpoints => called

const originOf = (url: string): string => new URL(url).origin

function siteOf({ site }: Provider, given: string | undefined) {
  if (!('setting' in site)) return site
  const value = given ?? site.otherwise
  return value === null ? { missing: site.setting, expected: site.kind.expected } : site.at(value)
}

/** First words of our own paths, in all modules. No provider can have one of these names. */
export const RESERVED_NAMES: readonly string[] = [
  'login',
  'logout',
  'user',
  'email',
  'account',
  'sessions',
  'reauthenticate',
  'introspect',
  'invitations',
  'csrf',
  'password',
  'token',
  'tokens',
  'registration',
  'mfa',
  'passkeys',
  'socialaccounts',
  'docs',
  'dev',
  'assets',
  'openapi',
  '.well-known',
]
