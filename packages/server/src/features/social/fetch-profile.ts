import type { Profile } from './profile.ts'
import type { ProviderClient } from './provider-client.ts'
import { type App, withBearer } from './providers/provider.ts'

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
