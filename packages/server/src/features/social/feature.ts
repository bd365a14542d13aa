import { loadIdTokens } from '../../crypto/id-token/load-id-tokens.ts'
import { tagged } from '../../http/endpoint.ts'
import { KEEP_SPENT } from '../../kernel/clock.ts'
import type { UpToAddresses } from '../addresses/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdoptAccounts } from './adopt-accounts.ts'
import { configureProviders, standIns } from './configuration/configure-providers.ts'
import { createProviderClient } from './provider-client.ts'
import { createSocial } from './social.ts'
import { accountsEntry, socialAccountsEndpoints, socialLoginEndpoints } from './social-endpoints.ts'

export const socialFeature = feature((house: UpToAddresses) => {
  const { settings, place, attempt } = house
  const { PROVIDERS } = settings.SOCIALACCOUNT
  const isOn = settings.MODULES.includes('social')
  const providers = isOn
    ? attempt(
        () => configureProviders(PROVIDERS),
        () => standIns(PROVIDERS),
      )
    : []
  const social = createSocial({
    ...house,
    clients: providers.map((provider) =>
      createProviderClient(provider, { ...house, pageUrl: () => pageUrlOf(provider.name) }),
    ),
  })
  return {
    offers: { social, adoptAccounts: createAdoptAccounts(social.clients) },
    endpoints: isOn
      ? tagged('Social login', [
          ...socialLoginEndpoints({ ...house, social }),
          ...socialAccountsEndpoints(social),
        ])
      : [],
    ...(isOn && { later: loadIdTokens }),
    wayIn: social.hasAny,
    waysIn: 'social_accounts',
    keeps: { dossier: [accountsEntry(social)], rows: ['social_accounts'] },
    sweeps: [{ table: 'spent_proofs', key: 'digest', time: 'expires_at', keepFor: KEEP_SPENT }],
  }

  function pageUrlOf(name: string): string | null {
    const { MODULES, PUBLIC_URL } = settings
    return MODULES.includes('pages') ? `${PUBLIC_URL}${place().PAGES_PREFIX}callback/${name}` : null
  }
})

export type UpToSocial = UpToAddresses & Offers<typeof socialFeature>
