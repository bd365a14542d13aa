import type { App, ClientAuth, Endpoints, Provider, Site } from '../providers/provider.ts'
import type { Place } from './read-keys.ts'
import { endpointsOf, type GivenOptions } from './read-options.ts'

/** A provider as this deployment uses it. */
export type ConfiguredProvider = {
  /** Its path, and its name in the identities of its users. */
  name: string
  title: string
  provider: Provider
  /** Each may be the audience of a token. The first one exchanges codes. */
  apps: readonly [App, ...App[]]
  site: Site
  /** Null if discovery decides. */
  clientAuth: ClientAuth | null
  scopes: readonly string[]
  callbackUrls: readonly string[]
  /** Further parameters of the redirect from our own pages. */
  authParams: Readonly<Record<string, string>>
  /** Whether the service believes it that an address is verified. */
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

/** Builds a provider, or null if a required setting is missing. */
export function assembleProvider(
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
  return [
    {
      ...parts,
      site,
      clientAuth: options.TOKEN_AUTH_METHOD ?? (site.discovery ? null : provider.clientAuth),
      scopes: options.SCOPE ?? provider.scopes,
      callbackUrls: options.CALLBACK_URL ?? [],
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
