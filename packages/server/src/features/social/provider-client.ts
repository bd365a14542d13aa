import type { JWK } from 'jose'
import { usableKeys } from '../../crypto/id-token/signatures.ts'
import { HOUR, MINUTE } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { problem, unavailable } from '../../kernel/problems.ts'
import { createRemembered } from '../../kernel/remembered.ts'
import { createOutbound, type Outbound } from '../../outbound/create-outbound.ts'
import { authenticatedForm } from '../../outbound/request.ts'
import type { Context } from '../feature.ts'
import type { ConfiguredProvider } from './configuration/configure-providers.ts'
import { at, textAt } from './profile.ts'
import {
  type App,
  type ClientAuth,
  type Endpoints,
  type ProviderRequest,
  type Site,
  withQuery,
} from './providers/provider.ts'

const RETRY_SECONDS = 60

type Needs = Pick<Context, 'clock' | 'log' | 'outboundMs'> & {
  /** The page of ours that people return to; null if our pages are off. */
  pageUrl(): string | null
}

export type ProviderClient = ReturnType<typeof createProviderClient>

/** A provider that can be called. */
export function createProviderClient(
  config: ConfiguredProvider,
  { clock, log, pageUrl, outboundMs: timeoutMs }: Needs,
) {
  const { name: party, provider, origins, allowPrivate } = config
  const outbound = createOutbound({ party, origins, allowPrivate, clock, log, timeoutMs })
  const remembered = { lifetimeMs: HOUR, refreshMs: MINUTE, clock }
  const whereabouts = createRemembered(() => discover(config, outbound, log), remembered)

  return {
    config,
    pageUrl,
    whereabouts: whereabouts.get,
    keys: createRemembered(loadKeys, remembered),

    /** Returns the answer, or null for a refusal. No answer is a 503. */
    async ask({ formAsClient, ...request }: ProviderRequest, app: App): Promise<unknown> {
      const ready = formAsClient ? await asClient(request.url, formAsClient, app) : request
      const { status, body } = await outbound.call(ready)
      return status < 300 ? body : null
    },
  }

  async function loadKeys(): Promise<JWK[]> {
    const { endpoints } = await whereabouts.get()
    const answer = endpoints.keys ? await outbound.call({ url: endpoints.keys }) : null
    const keys = usableKeys(answer?.body)
    if (keys) return keys
    const words = 'the provider publishes no keys, so its tokens cannot be checked'
    log.error({ provider: party }, words)
    throw unavailable(RETRY_SECONDS).logged()
  }

  async function asClient(url: string, form: Record<string, string>, app: App) {
    const { clientAuth: method } = await whereabouts.get()
    const secret = (await provider.clientSecret?.(app, clock.now())) ?? app.secret
    return authenticatedForm(url, form, { method, clientId: app.clientId, secret })
  }
}

/** What is needed to call a provider. */
type Whereabouts = Site & { clientAuth: ClientAuth }

/** Reads what the issuer publishes about itself. Explicit settings win. */
async function discover(
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

/** Apple can be set up without a key. It then takes ID tokens, but no code can be exchanged. */
export const exchangesCodes = ({ config: { provider, apps } }: ProviderClient): boolean =>
  !provider.clientSecret || apps[0].signingKey !== undefined

/**
 * Whether the issuer that comes with a code (RFC 9207) is this provider. Without ID tokens, the issuer
 * that we know is only our name for the provider, and GitHub, for one, sends another.
 */
export const isIssuer = ({ config: { provider, site } }: ProviderClient, issuer: string): boolean =>
  !provider.readClaims || site.issuers.some((one) => withoutSlash(one) === withoutSlash(issuer))

/** The browser makes and keeps these, to recognise the answer. */
type RedirectProof = { state: string; nonce: string; challenge: string }

/** The URL that a page sends people to. They come back to `pageUrl` with a code. */
export async function authorizeUrl(
  { config, pageUrl, whereabouts }: ProviderClient,
  { state, nonce, challenge }: RedirectProof,
): Promise<string> {
  const { endpoints } = await whereabouts()
  const back = pageUrl()
  if (!endpoints.authorize || back === null) throw problem('not_found')
  const { pkce, nonce: hasNonce, responseMode } = config.redirect
  return withQuery(endpoints.authorize, {
    ...config.authParams,
    response_type: 'code',
    client_id: config.apps[0].clientId,
    redirect_uri: back,
    scope: config.scopes.join(' '),
    state,
    ...(responseMode && { response_mode: responseMode }),
    ...(hasNonce && { nonce }),
    ...(pkce && { code_challenge: challenge, code_challenge_method: 'S256' }),
  })
}
