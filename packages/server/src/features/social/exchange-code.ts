import { digest } from '../../crypto/digests.ts'
import { type Clock, DAY } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import { isPlain, type ProviderTokens, type Refuse, type SocialCredentials } from './credentials.ts'
import { textAt } from './json.ts'
import type { ProviderClient } from './provider-client.ts'
import { forgetProof, spendProof } from './spent-proofs-queries.ts'

/** Longer than any provider accepts a code. */
const CODE_LIFETIME = DAY

type Needs = { db: Db; clock: Clock; log: Log }

/** Exchanges a code for tokens. Each code is sent to the provider only once. */
export async function exchangeCode(
  client: ProviderClient,
  { code, redirectUri, codeVerifier }: SocialCredentials,
  { db, clock, log }: Needs,
): Promise<ProviderTokens> {
  const { name, provider, callbackUrls, apps } = client.config
  const pageUrl = client.pageUrl()
  const refuse: Refuse = (reason) => {
    log.info({ provider: name, reason }, 'social login refused')
    return problem('social_code_refused')
  }
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
    // The provider would refuse the code again anyway. Without this, invented codes would fill the
    // database.
    await forgetProof(db, proof)
    throw refuse('the provider refused the code')
  }
  return { accessToken, idToken, isFromExchange: true }
}
