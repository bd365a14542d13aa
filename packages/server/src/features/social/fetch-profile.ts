import type { Profile } from './profile.ts'
import type { ProviderClient } from './provider-client.ts'
import { withBearer } from './providers/provider.ts'

/** The owner of an access token; null where the provider has no profiles. */
export async function fetchProfile(
  client: ProviderClient,
  accessToken: string,
): Promise<Profile | null> {
  const { provider, apps } = client.config
  const { endpoints } = await client.whereabouts()
  if (!endpoints.profile) return null

  const [app] = apps
  const request = provider.profileRequest ?? withBearer
  const answer = await client.ask(request({ url: endpoints.profile, accessToken, app }), app)
  const emails = endpoints.emails
    ? await client.ask(withBearer({ url: endpoints.emails, accessToken }), app)
    : null
  return provider.readProfile(answer, emails)
}
