import { type NamedObjects, namedObjects } from '../../kernel/setting-kinds/compounds.ts'
import { MASK } from '../../kernel/setting-kinds/kind.ts'

/** Options for the pages and scripts of allauth, which the front end replaces here. */
export const IGNORED_OPTIONS = [
  'OAUTH_PKCE_ENABLED',
  'FETCH_USERINFO',
  'HIDDEN',
  'METHOD',
  'SDK_URL',
  'INIT_PARAMS',
  'FIELDS',
  'EXCHANGE_TOKEN',
  'LOCALE_FUNC',
  'VERSION',
] as const

/** The options of a provider, beside its applications, in one of them, or in its `settings`. */
export interface ProviderOptions {
  /** The scopes that the front end asks for: a list, or one text with blanks. */
  readonly SCOPE?: string | readonly string[] | undefined
  /** The allowed values of `redirect_uri`. The first one is used if none is sent. */
  readonly CALLBACK_URL?: string | readonly string[] | undefined
  /** Replaces the issuer of ID tokens. */
  readonly ISSUER?: string | undefined
  /** Where the hosted pages send users. */
  readonly AUTHORIZE_URL?: string | undefined
  /** Further parameters for that address. */
  readonly AUTH_PARAMS?: Readonly<Record<string, string>> | undefined
  /** Exchanges a code for tokens. */
  readonly ACCESS_TOKEN_URL?: string | undefined
  /** Has the public keys of ID tokens. */
  readonly JWKS_URL?: string | undefined
  /** Tells who owns an access token. */
  readonly PROFILE_URL?: string | undefined
  /** Lists the addresses of that owner. */
  readonly EMAILS_URL?: string | undefined
  /** Tells which application an access token was made for. */
  readonly TOKEN_CHECK_URL?: string | undefined
  /** How the application authenticates; `none` for a public client without a secret. */
  readonly TOKEN_AUTH_METHOD?: 'client_secret_basic' | 'client_secret_post' | 'none' | undefined
  /** False: do not trust this provider when it says that an address is verified. */
  readonly VERIFIED_EMAIL?: boolean | undefined
  /** Replaces `SOCIALACCOUNT.EMAIL_AUTHENTICATION` for this provider. */
  readonly EMAIL_AUTHENTICATION?: boolean | undefined
  /** Further hosts, `host[:port]`, that the discovery document of an issuer may point to. */
  readonly ALLOWED_HOSTS?: string | readonly string[] | undefined
  /** True: host names of this provider may resolve to private addresses. */
  readonly ALLOW_PRIVATE_NETWORK?: boolean | undefined
}

/** For providers with several installations: the option that names one. */
export type ProviderSites = {
  readonly facebook: 'GRAPH_API_URL'
  readonly github: 'GITHUB_URL'
  readonly gitlab: 'GITLAB_URL'
  readonly microsoft: 'TENANT'
  readonly openid_connect: 'SERVER_URL'
}

/** Its key in `SOCIALACCOUNT.PROVIDERS`. */
export type ProviderId =
  | keyof ProviderSites
  | 'apple'
  | 'discord'
  | 'google'
  | 'linkedin'
  | 'slack'
  | 'spotify'
  | 'twitch'
  | 'twitter'

interface AnyOptions extends ProviderOptions, Ignored {}
type Ignored = { readonly [Name in (typeof IGNORED_OPTIONS)[number]]?: unknown }

type OptionsOf<Id> = Id extends keyof ProviderSites
  ? AnyOptions & { readonly [Site in ProviderSites[Id]]?: string | undefined }
  : AnyOptions

/** Names in capitals or in lower case. */
type InAnyCase<Options> = {
  readonly [Name in keyof Options as Name | Lowercase<Name & string>]?: Options[Name]
}

type App<Id> = OptionsOf<Id> & {
  readonly client_id: string
  readonly secret?: string | undefined
  /** Apple: the id of your team. */
  readonly key?: string | undefined
  /** How the pages name the provider. */
  readonly name?: string | undefined
  /** The path of an issuer under `openid_connect`, where it is required. */
  readonly provider_id?: string | undefined
  /** Apple: a private key, as PEM text. */
  readonly certificate_key?: string | undefined
  readonly settings?:
    | (InAnyCase<OptionsOf<Id>> & { readonly certificate_key?: string | undefined })
    | undefined
}

type ProviderInput<Id> = OptionsOf<Id> &
  (
    | { readonly APP: App<Id>; readonly APPS?: undefined }
    | { readonly APPS: readonly App<Id>[]; readonly APP?: undefined }
  )

/** What `SOCIALACCOUNT.PROVIDERS` may contain. See docs/social.md. */
export type ProvidersInput = { readonly [Id in ProviderId]?: ProviderInput<Id> | undefined }

/** Only the outer shape is checked here; each provider checks its own part. */
export const providers = {
  ...namedObjects<ProvidersInput>(
    'an object with providers, such as {"google": {"APP": {"client_id": "…", "secret": "…"}}}',
    /^[a-z][a-z0-9_.-]*$/i,
  ),
  secret: true,
  show: (value: NamedObjects) =>
    JSON.stringify(Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))),
}
