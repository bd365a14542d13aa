import { loadIdTokens } from '../../crypto/id-token/load-id-tokens.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import type { Gate } from '../login/gate.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { UsernameRules } from '../users/username-rules.ts'
import type { Users } from '../users/users.ts'
import { knownAccounts } from './answer-account.ts'
import { configureProviders } from './configuration/configure-providers.ts'
import { createLinkAccount } from './link-account.ts'
import { createOwners } from './owners.ts'
import { createProviderClient } from './provider-client.ts'
import { createSocial } from './social.ts'
import { socialAccountsEndpoints } from './social-accounts-endpoints.ts'
import { socialLoginEndpoints } from './social-login-endpoints.ts'
import { socialTakeover } from './social-takeover.ts'

type Earlier = {
  audit: Audit
  outbox: Outbox
  events: Events
  users: Users
  usernameRules: UsernameRules
  provedAddress: ProvedAddress
  gate: Gate
  exchange: LoginExchange
}

export const socialFeature = feature('social', (context, earlier: Earlier) => {
  const { settings, host } = context
  const isOn = settings.MODULES.includes('social')
  const providers = isOn ? configureProviders(settings.SOCIALACCOUNT.PROVIDERS) : []
  const needs = { ...context, ...earlier }
  const linkAccount = createLinkAccount(needs)
  const social = createSocial({
    ...needs,
    clients: providers.map((provider) =>
      createProviderClient(provider, { ...context, pageUrl: pageUrlOf(settings, provider.name) }),
    ),
    owners: createOwners({ ...needs, linkAccount }),
    linkAccount,
  })
  return {
    service: social,
    endpoints: isOn
      ? tagged('Social login', [
          ...socialLoginEndpoints({ social, host, exchange: earlier.exchange }),
          ...socialAccountsEndpoints(social),
        ])
      : [],
    ...(isOn && { later: loadIdTokens }),
    wayIn: social.hasAny,
    forget: async (user, tx) => ({ social_accounts: await social.removeAll(user, tx) }),
    keeps: { known: [knownAccounts(social)], erase: social.removeAll },
    takeover: [socialTakeover(social.clients)],
    sweeps: [{ table: 'spent_proofs', forget: social.forgetExpired }],
  }
})

function pageUrlOf({ MODULES, PUBLIC_URL, PAGES_PREFIX }: Settings, name: string): string | null {
  return MODULES.includes('pages') ? `${PUBLIC_URL}${PAGES_PREFIX}callback/${name}` : null
}
