import { list, namedTexts } from '../../../kernel/setting-kinds/compounds.ts'
import type { Kind, ReadBy } from '../../../kernel/setting-kinds/kind.ts'
import { choice, flag, text } from '../../../kernel/setting-kinds/scalars.ts'
import { IGNORED_OPTIONS, type ProviderOptions } from '../../../settings/kinds/providers.ts'
import type { Endpoints, Provider } from '../providers/provider.ts'
import { callbackUrl, endpointUrl, hostName } from '../providers/url-kinds.ts'
import { ignored, type Place, readKeys } from './read-keys.ts'

/** The options of a provider, apart from its applications. */
const optionKinds = {
  SCOPE: words(),
  CALLBACK_URL: list(callbackUrl),
  ISSUER: text,
  AUTHORIZE_URL: endpointUrl,
  AUTH_PARAMS: namedTexts('an object from parameter to text', /^\w+$/),
  ACCESS_TOKEN_URL: endpointUrl,
  JWKS_URL: endpointUrl,
  PROFILE_URL: endpointUrl,
  EMAILS_URL: endpointUrl,
  TOKEN_CHECK_URL: endpointUrl,
  TOKEN_AUTH_METHOD: choice(['client_secret_basic', 'client_secret_post', 'none']),
  VERIFIED_EMAIL: flag,
  EMAIL_AUTHENTICATION: flag,
  ALLOWED_HOSTS: list(hostName),
  ALLOW_PRIVATE_NETWORK: flag,
} satisfies { readonly [Name in keyof ProviderOptions]-?: Kind<unknown, ProviderOptions[Name]> }

type Options = { [Name in keyof typeof optionKinds]: ReadBy<(typeof optionKinds)[Name]> }

/** `site` is the value of the setting that names the installation of the provider. */
export type GivenOptions = Partial<Options & { site: string }>

/** Names may also be in lower case, as allauth has it in some places. */
export function readOptions(
  raw: Readonly<Record<string, unknown>>,
  { site }: Provider,
  place: Place,
): GivenOptions {
  const kinds: Record<string, Kind<unknown>> = { ...optionKinds }
  if ('setting' in site) kinds[site.setting] = site.kind
  for (const key of IGNORED_OPTIONS) kinds[key] = ignored
  const given = readKeys(inCapitals(raw), kinds, place)
  const which = 'setting' in site ? given[site.setting] : undefined
  // Every value was read by the kind of its key. The compiler cannot see that.
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
