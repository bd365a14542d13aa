import type { Refuse } from './credentials.ts'
import type { ProviderClient } from './provider-client.ts'

/** Whose it is, as far as the provider says so; refused unless it was made for us. */
export async function checkAccessToken(
  client: ProviderClient,
  accessToken: string,
  refuse: Refuse,
): Promise<string | null> {
  const { provider, apps } = client.config
  const { endpoints } = await client.whereabouts()
  if (!provider.tokenCheck || !endpoints.tokenCheck) {
    const instead = provider.readClaims ? 'id_token or code' : 'code'
    throw refuse(`nobody can say for whom an access_token was made here: send ${instead}`)
  }
  const clientIds = apps.map((app) => app.clientId)
  for (const app of apps) {
    const question = { url: endpoints.tokenCheck, accessToken, app }
    const answer = await client.ask(provider.tokenCheck.request(question), app)
    const { clientId, subject } = provider.tokenCheck.read(answer)
    if (clientId !== null && clientIds.includes(clientId)) return subject
  }
  throw refuse('the access token is void, or was made for another application')
}
