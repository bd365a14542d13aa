import { digest } from '../../crypto/digests.ts'
import { DAY } from '../../kernel/clock.ts'
import type { Context } from '../feature.ts'
import {
  createRefuse,
  isPlain,
  type ProviderTokens,
  type SocialCredentials,
} from './check-tokens.ts'
import { textAt } from './profile.ts'
import type { ProviderClient } from './provider-client.ts'
import { forgetProof, spendProof } from './social-queries.ts'

/** Longer than any provider accepts a code. */
const CODE_LIFETIME = DAY

/** Exchanges a code for tokens. Each code is sent to the provider only once. */
export async function exchangeCode(
  client: ProviderClient,
  { code, redirectUri, codeVerifier }: SocialCredentials,
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
): Promise<ProviderTokens> {
  const { name, provider, callbackUrls, apps } = client.config
  const pageUrl = client.pageUrl()
  const refuse = createRefuse('social_code_refused', client, log)
  if (!isPlain(codeVerifier)) throw refuse('no code_verifier looks like that')
  if (redirectUri !== '' && ![...callbackUrls, pageUrl].includes(redirectUri)) {
    throw refuse('redirect_uri is not in CALLBACK_URL')
  }
  const { endpoints } = await client.whereabouts()
  if (!endpoints.token) throw refuse('the provider has no token endpoint')
  const proof = digest(`code:${name}:${code}`)
  const isFirst = await spendProof(db, { digest: proof, expires_at: clock.now() + CODE_LIFETIME })
  if (!isFirst) throw refuse('the code was used before')

  const callback = redirectUri || callbackUrls[0]
  const answer = await client.ask(
    {
      url: endpoints.token,
      formAsClient: {
        grant_type: 'authorization_code',
        code,
        ...(callback && { redirect_uri: callback }),
        ...(codeVerifier && { code_verifier: codeVerifier }),
      },
    },
    apps[0],
  )
  const accessToken = textAt(answer, 'access_token') ?? ''
  const idToken = provider.readClaims ? (textAt(answer, 'id_token') ?? '') : ''
  if (!accessToken && !idToken) {
    // The provider refuses this code anyway. If it stayed, invented codes would fill the database.
    await forgetProof(db, proof)
    throw refuse('the provider refused the code')
  }
  return { accessToken, idToken, isFromExchange: true }
}
