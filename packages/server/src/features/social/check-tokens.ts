import { loadIdTokens } from '../../crypto/id-token/load-id-tokens.ts'
import type { IdToken } from '../../crypto/id-token/verify-id-token.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type PlainProblemCode, type Problem, problem } from '../../kernel/problems.ts'
import type { Profile } from './profile.ts'
import type { ProviderClient } from './provider-client.ts'
import { type App, withBearer } from './providers/provider.ts'

/** What a front end got from a provider. Missing values are empty. */
export type SocialCredentials = {
  accessToken: string
  idToken: string
  code: string
  redirectUri: string
  codeVerifier: string
  nonce: string
}

/** Tokens from the front end, or from the provider in exchange for a code. Missing ones are empty. */
export type ProviderTokens = {
  accessToken: string
  idToken: string
  /** True if the provider gave them to us directly, so they are certainly made for us. */
  isFromExchange: boolean
}

/** Logs the reason. The answer does not contain it. */
export type Refuse = (reason: string) => Problem

export const createRefuse =
  (code: PlainProblemCode, { config: { name } }: ProviderClient, log: Log): Refuse =>
  (reason) => {
    log.info({ provider: name, reason }, 'social login refused')
    return problem(code)
  }

/** Whether a text is safe in a header and in a form. Tokens and codes of all providers are. */
export const isPlain = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

/** Asks the provider for which of our applications and which user the token was made. */
export async function checkAccessToken(
  client: ProviderClient,
  accessToken: string,
  refuse: Refuse,
): Promise<{ app: App; subject: string | null }> {
  const { provider, apps } = client.config
  const { endpoints } = await client.whereabouts()
  if (!provider.tokenCheck || !endpoints.tokenCheck) {
    const instead = provider.readClaims ? 'id_token or code' : 'code'
    throw refuse(`this provider cannot say for whom an access_token was made: send ${instead}`)
  }
  for (const asking of apps) {
    const question = { url: endpoints.tokenCheck, accessToken, app: asking }
    const answer = await client.ask(provider.tokenCheck.request(question), asking)
    const { clientId, subject } = provider.tokenCheck.read(answer)
    const app = apps.find((one) => one.clientId === clientId)
    if (app) return { app, subject }
  }
  throw refuse('the access token is void, or was made for another application')
}

/** Returns null if there is none. */
export async function checkIdToken(
  client: ProviderClient,
  { idToken, isFromExchange }: ProviderTokens,
  nonce: string,
  { clock, refuse }: { clock: Clock; refuse: Refuse },
): Promise<IdToken | null> {
  if (idToken === '') {
    // Only an ID token carries a nonce, so without one the nonce could not be checked.
    if (nonce !== '' && client.config.provider.readClaims) throw refuse('no ID token came')
    return null
  }
  const { verifyIdToken } = await loadIdTokens()
  const { issuers } = await client.whereabouts()
  const clientIds = client.config.apps.map((app) => app.clientId)
  const rules = { issuers, clientIds, now: clock.now(), isFromExchange }

  const keys = await client.keys.get()
  let result = await verifyIdToken(idToken, keys, rules)
  if ('refusal' in result && result.isKeyUnknown) {
    const newer = await client.keys.refresh(keys)
    if (newer) result = await verifyIdToken(idToken, newer, rules)
  }
  if ('refusal' in result) throw refuse(`the ID token: ${result.refusal}`)
  if (nonce !== '' && result.token.claims.nonce !== nonce) {
    throw refuse('the ID token: it was made for another nonce')
  }
  return result.token
}

/** The profile of the owner of an access token; null if the provider has no profiles. */
export async function fetchProfile(
  client: ProviderClient,
  accessToken: string,
  app: App,
): Promise<Profile | null> {
  const { provider } = client.config
  const { endpoints } = await client.whereabouts()
  if (!endpoints.profile) return null

  const request = provider.profileRequest ?? withBearer
  const answer = await client.ask(request({ url: endpoints.profile, accessToken, app }), app)
  const emails = endpoints.emails
    ? await client.ask(withBearer({ url: endpoints.emails, accessToken }), app)
    : null
  return provider.readProfile(answer, emails)
}
