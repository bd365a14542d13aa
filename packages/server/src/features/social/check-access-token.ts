import type { Refuse } from './credentials.ts'
import type { ProviderClient } from './provider-client.ts'
import type { App } from './providers/provider.ts'

/** Asks the provider for which of our applications, and for whom, the token was made. */
export async function checkAccessToken(
  client: ProviderClient,
  accessToken: string,
  refuse: Refuse,
): Promise<{ app: App; subject: string | null }> {
  const { provider, apps } = client.config
  const { endpoints } = await client.whereabouts()
  if (!provider.tokenCheck || !endpoints.tokenCheck) {
    const instead = provider.readClaims ? 'id_token or code' : 'code'
    throw refuse(`nobody can say for whom an access_token was made here: send ${instead}`)
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
