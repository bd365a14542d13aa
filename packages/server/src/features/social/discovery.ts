import type { Log } from '../../kernel/log.ts'
import { unavailable } from '../../kernel/problems.ts'
import type { Outbound } from '../../outbound/create-outbound.ts'
import type { ConfiguredProvider } from './configuration/assemble-provider.ts'
import { at, textAt } from './json.ts'
import type { ClientAuth, Endpoints, Site } from './providers/provider.ts'

/** What is needed to call a provider. */
export type Whereabouts = Site & { clientAuth: ClientAuth }

const RETRY_SECONDS = 60

/** What the issuer publishes about itself. Explicit settings win. */
export async function discover(
  { name, site, clientAuth, provider }: ConfiguredProvider,
  outbound: Outbound,
  log: Log,
): Promise<Whereabouts> {
  if (!site.discovery) return { ...site, clientAuth: clientAuth ?? provider.clientAuth }

  const { body } = await outbound.call({ url: site.discovery })
  const issuer = textAt(body, 'issuer')
  const [expected] = site.issuers
  // The two may differ only by a slash at the end, which many people leave out of the settings.
  if (issuer === null || withoutSlash(issuer) !== withoutSlash(expected)) {
    log.error({ provider: name, expected, issuer }, 'the discovery document names another issuer')
    throw unavailable(RETRY_SECONDS).logged()
  }
  return {
    issuers: [issuer],
    endpoints: { ...endpointsIn(body), ...site.endpoints },
    clientAuth: clientAuth ?? methodIn(body),
  }
}

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '')

function endpointsIn(document: unknown): Endpoints {
  const named = {
    authorize: textAt(document, 'authorization_endpoint'),
    token: textAt(document, 'token_endpoint'),
    keys: textAt(document, 'jwks_uri'),
    profile: textAt(document, 'userinfo_endpoint'),
    tokenCheck: textAt(document, 'introspection_endpoint'),
  }
  const urls = Object.entries(named).filter(([, url]) => url !== null && URL.canParse(url))
  return Object.fromEntries(urls)
}

/** The default of the standard, unless the issuer does not support it. */
function methodIn(document: unknown): ClientAuth {
  const methods = at(document, 'token_endpoint_auth_methods_supported')
  const isOnlyPost =
    Array.isArray(methods) &&
    methods.includes('client_secret_post') &&
    !methods.includes('client_secret_basic')
  return isOnlyPost ? 'client_secret_post' : 'client_secret_basic'
}
