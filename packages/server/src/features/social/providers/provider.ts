import type { Kind } from '../../../kernel/setting-kinds/kind.ts'
import type { OutboundRequest } from '../../../outbound/request.ts'
import type { ProviderId, ProviderSites } from '../../../settings/kinds/providers.ts'
import { at, type Profile, readOpenIdClaims, textAt } from '../profile.ts'

/** The addresses of a provider. Those that it does not have are missing. */
export type Endpoints = {
  /** Where the browser asks for a code. It is never called from here. */
  authorize?: string
  /** Gives tokens for a code. */
  token?: string
  /** The public keys of its ID tokens. */
  keys?: string
  /** Says who the owner of an access token is. */
  profile?: string
  /** Lists the e-mail addresses of that owner, if the profile does not. */
  emails?: string
  /** Says for which application an access token was made. */
  tokenCheck?: string
}

/** One installation of a provider. */
export type Site = {
  /**
   * The issuers of its ID tokens. The first one is also part of the identity of its users.
   * A provider without ID tokens has one, too, only for the identity.
   */
  issuers: readonly [string, ...string[]]
  /** Its discovery document, which has the endpoints that are missing here. */
  discovery?: string
  endpoints: Endpoints
}

/** An application of ours, registered at a provider. */
export type App = {
  clientId: string
  /** Empty for a public client. */
  secret: string
  /** For providers that want a signature instead of the secret. */
  signingKey?: { keyId: string; teamId: string; pem: string }
}

export type ClientAuth = 'client_secret_basic' | 'client_secret_post' | 'none'

/** A question about an access token. */
type Question = { url: string; accessToken: string; app: App }

/**
 * A call. `formAsClient` is sent with our client credentials, in the way that the provider wants.
 */
export type ProviderRequest = OutboundRequest & { formAsClient?: Record<string, string> }

/** How a provider tells for which application and for whom it made an access token. */
type TokenCheck = {
  request(question: Question): ProviderRequest
  /** Nulls if the answer does not say, or says that the token is invalid. */
  read(answer: unknown): { clientId: string | null; subject: string | null }
}

/** What the redirect of our own pages sends. */
export type Redirect = { pkce: boolean; nonce: boolean; responseMode?: 'form_post' }

/** A provider: its addresses, and how its answers are read. */
export type Provider = {
  /** Its key in the settings, and its path. */
  id: ProviderId
  title: string
  /** The front end should ask for these. */
  scopes: readonly string[]
  site: Site | SiteFromSetting
  clientAuth: ClientAuth
  /** How the redirect of our own pages differs for this provider. */
  redirect?: Partial<Redirect>
  /** For providers whose client secret is made for every call. */
  clientSecret?(app: App, now: number): Promise<string>
  /** Null if it cannot tell for whom an access token was made. Then access tokens are refused. */
  tokenCheck: TokenCheck | null
  /** Reads an ID token, if the provider has them. */
  readClaims?(claims: unknown): Profile
  /** Reads the answers of its profile endpoint and of its endpoint for addresses. */
  readProfile(profile: unknown, emails: unknown): Profile
  /** For providers that want more than the access token as a bearer. */
  profileRequest?(question: Question): OutboundRequest
}

/** For a provider with many installations: the setting that names one. */
type SiteFromSetting = {
  setting: ProviderSites[keyof ProviderSites]
  kind: Kind<string>
  /** The default of the setting; null if it is required. */
  otherwise: string | null
  at(value: string): Site
}

export const withBearer = ({
  url,
  accessToken,
}: Pick<Question, 'url' | 'accessToken'>): OutboundRequest => ({
  url,
  headers: { authorization: `Bearer ${accessToken}` },
})

/** Adds parameters to the query of a URL. */
export function withQuery(url: string, query: Record<string, string>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}

/** A provider that is an OpenID provider, and has the standard claims everywhere. */
export const standard = {
  scopes: ['openid', 'email', 'profile'],
  readClaims: readOpenIdClaims,
  readProfile: readOpenIdClaims,
} as const satisfies Partial<Provider>

type Path = readonly string[]

/** Reads the application and the user at these paths of an answer. */
export const namedAt =
  (clientId: Path, subject: Path): TokenCheck['read'] =>
  (answer) => ({ clientId: textAt(answer, ...clientId), subject: textAt(answer, ...subject) })

/** RFC 7662. */
export const introspection: TokenCheck = {
  request: ({ url, accessToken }) => ({ url, formAsClient: { token: accessToken } }),
  read: (answer) => ({
    clientId: at(answer, 'active') === true ? textAt(answer, 'client_id') : null,
    subject: textAt(answer, 'sub'),
  }),
}
