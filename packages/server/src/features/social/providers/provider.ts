import type { Kind } from '../../../kernel/setting-kinds/kind.ts'
import type { OutboundRequest } from '../../../outbound/request-json.ts'
import type { Profile } from '../profile.ts'

/** Where a provider is called. What it does not have, it does not name. */
export type Endpoints = {
  /** Gives tokens for a code. */
  token?: string
  /** The public keys of its ID tokens. */
  keys?: string
  /** Says who the owner of an access token is. */
  profile?: string
  /** The addresses of that owner, where the profile has not got them. */
  emails?: string
  /** Says for which application an access token was made. */
  tokenCheck?: string
}

/** One installation of a provider. */
export type Site = {
  /**
   * Who signs its ID tokens; the first also stands in the identity of its users. Providers
   * without ID tokens have a name there, too.
   */
  issuers: readonly [string, ...string[]]
  /** Where it publishes what is not said here. */
  discovery?: string
  endpoints: Endpoints
}

/** Our registration at a provider. */
export type App = {
  clientId: string
  /** Empty for a public client. */
  secret: string
  /** Where the secret is not sent but signed with. */
  signingKey?: { keyId: string; teamId: string; pem: string }
}

export type ClientAuth = 'client_secret_basic' | 'client_secret_post' | 'none'

/** A question about an access token. */
type Question = { url: string; accessToken: string; app: App }

/** A call; a form may go along with our own credentials, in whatever way the provider wants them. */
export type ProviderRequest = OutboundRequest & { formAsClient?: Record<string, string> }

/** How a provider says for which application, and for whom, it made an access token. */
export type TokenCheck = {
  request(question: Question): ProviderRequest
  /** Nulls where the answer does not say, or says that the token is no good. */
  read(answer: unknown): { clientId: string | null; subject: string | null }
}

/** Everything that is known of a provider: as little code as it takes. */
export type Provider = {
  /** Its key in the settings, and its path. */
  id: string
  title: string
  /** What the front end should ask for. */
  scopes: readonly string[]
  site: Site | SiteFromSetting
  clientAuth: ClientAuth
  /** Where our secret is made anew for every call. */
  clientSecret?(app: App, now: number): Promise<string>
  /** Null where it cannot say for whom an access token was made: then none is taken. */
  tokenCheck: TokenCheck | null
  /** Of an ID token; only providers that have them read them. */
  readClaims?(claims: unknown): Profile
  /** Of what its profile endpoint, and its endpoint for addresses, answered. */
  readProfile(profile: unknown, emails: unknown): Profile
  /** Where the access token as a bearer is not all that it asks for. */
  profileRequest?(question: Question): OutboundRequest
}

/** A provider with many installations; a setting says which of them is meant. */
type SiteFromSetting = {
  setting: string
  kind: Kind<string>
  /** What is meant when the setting is not given; null where it must be. */
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

/** An address with more in its query. */
export function withQuery(url: string, query: Record<string, string>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}
