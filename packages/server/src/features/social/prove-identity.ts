import { digest } from '../../crypto/digests.ts'
import { loadIdTokens } from '../../crypto/id-token/load-id-tokens.ts'
import { accessTokenHash } from '../../crypto/id-token/signatures.ts'
import type { IdToken } from '../../crypto/id-token/verify-id-token.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { Context } from '../feature.ts'
import {
  checkAccessToken,
  checkIdToken,
  createRefuse,
  fetchProfile,
  isPlain,
  type ProviderTokens,
  type Refuse,
  type SocialCredentials,
} from './check-tokens.ts'
import { exchangeCode } from './exchange-code.ts'
import { agreedProfile, type Profile, profileOf } from './profile.ts'
import type { ProviderClient } from './provider-client.ts'
import type { App } from './providers/provider.ts'
import { spendProof } from './social-queries.ts'

/** A person whose identity at a provider is proved. */
export type ProvenIdentity = {
  provider: string
  issuer: string
  subject: string
  profile: Profile
  /** Null: as for all providers. */
  linksByEmail: boolean | null
  /** The ID token that proves it. It is accepted once. */
  idToken: IdToken | null
}

type Needs = Pick<Context, 'db' | 'clock' | 'log'>

/** Every proof must have been made for us, and all proofs must agree. */
export async function proveIdentity(
  client: ProviderClient,
  given: SocialCredentials,
  needs: Needs,
): Promise<ProvenIdentity> {
  const { name, site, isTrustedOnEmail, linksByEmail } = client.config
  const refuse = createRefuse('social_proof_refused', client, needs.log)
  // Loaded before a code is spent: if it fails, the client can try again.
  await loadIdTokens()
  const tokens = await tokensOf(client, given, needs)
  if (!isPlain(`${tokens.accessToken}${tokens.idToken}`)) throw refuse('no token looks like that')

  const idToken = await checkIdToken(client, tokens, given.nonce, { clock: needs.clock, refuse })
  const profile = agreedProfile([
    ...(await profilesByAccessToken(client, tokens, idToken, refuse)),
    ...(idToken ? [client.config.provider.readClaims?.(idToken.claims) ?? NOBODY] : []),
  ])
  if (!profile?.subject) throw refuse('the provider does not say who it is, or contradicts itself')
  return {
    provider: name,
    issuer: site.issuers[0],
    subject: profile.subject,
    profile: isTrustedOnEmail ? profile : { ...profile, address: null },
    linksByEmail,
    idToken,
  }
}

const NOBODY = profileOf({ subject: null })

/** Chooses among the three fields: an access token, else a code, else an ID token alone. */
async function tokensOf(
  client: ProviderClient,
  given: SocialCredentials,
  needs: Needs,
): Promise<ProviderTokens> {
  const hasIdTokens = client.config.provider.readClaims !== undefined
  const { accessToken, code } = given
  const idToken = hasIdTokens ? given.idToken : ''
  if (accessToken === '' && code !== '') return exchangeCode(client, given, needs)
  if (accessToken === '' && idToken === '') throw problem('social_input_missing')

  const isMisplaced =
    accessToken !== '' &&
    (idToken === '' ? await isIdTokenOf(client, accessToken) : idToken === accessToken)
  return isMisplaced
    ? { accessToken: '', idToken: accessToken, isFromExchange: false }
    : { accessToken, idToken, isFromExchange: false }
}

/** Many front ends send an ID token in the field of the access token. */
async function isIdTokenOf(client: ProviderClient, token: string): Promise<boolean> {
  const { provider, apps } = client.config
  if (!provider.readClaims) return false
  const { looksLikeIdToken } = await loadIdTokens()
  const { issuers } = await client.whereabouts()
  return looksLikeIdToken(token, { issuers, clientIds: apps.map((app) => app.clientId) })
}

/** Without an ID token, the provider must confirm that the access token was made for us. */
async function profilesByAccessToken(
  client: ProviderClient,
  { accessToken, isFromExchange }: ProviderTokens,
  idToken: IdToken | null,
  refuse: Refuse,
): Promise<Profile[]> {
  if (accessToken === '') return []
  if (idToken && !isHashOf(idToken, accessToken)) {
    throw refuse('the ID token came with another access token')
  }
  const { app, subject } =
    isFromExchange || idToken
      ? { app: appOf(client, idToken), subject: null }
      : await checkAccessToken(client, accessToken, refuse)
  const fetched = await fetchProfile(client, accessToken, app)
  return [...(fetched ? [fetched] : []), ...(subject ? [profileOf({ subject })] : [])]
}

/** The application that the tokens were made for. Codes are exchanged by the first one. */
function appOf({ config: { apps } }: ProviderClient, idToken: IdToken | null): App {
  const { azp, aud }: IdToken['claims'] = idToken?.claims ?? {}
  const parties = [azp ?? aud].flat()
  return apps.find(({ clientId }) => parties.includes(clientId)) ?? apps[0]
}

function isHashOf({ claims, algorithm }: IdToken, accessToken: string): boolean {
  if (claims.at_hash === undefined) return true
  return claims.at_hash === accessTokenHash(accessToken, algorithm)
}

/** Accepts an ID token for one login until it expires, and its nonce as well. */
export async function spendIdToken(
  { provider, idToken }: ProvenIdentity,
  nonce: string,
  db: Db,
): Promise<void> {
  if (!idToken) return
  const proofs = [
    `id_token:${idToken.signedPart}`,
    ...(nonce === '' ? [] : [`nonce:${provider}:${nonce}`]),
  ]
  for (const proof of proofs) {
    const isFirst = await spendProof(db, { digest: digest(proof), expires_at: idToken.expiresAt })
    if (!isFirst) throw problem('social_proof_refused')
  }
}
