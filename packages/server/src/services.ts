import { createHashSlots } from './crypto/password-hash/hash-slots.ts'
import { createPasswordHasher } from './crypto/password-hash/password-hasher.ts'
import { createSealedBox } from './crypto/sealed-box.ts'
import {
  type Administration,
  createAdministration,
} from './features/administration/administration.ts'
import { type Audit, createAudit } from './features/audit/audit.ts'
import { createLimits, type Limits } from './features/limits/limits.ts'
import { createFailedLogins } from './features/login/failed-logins.ts'
import { createGate, type Gate } from './features/login/gate.ts'
import { createLogin, type Login } from './features/login/login.ts'
import { createOutbox, type Outbox } from './features/mail/outbox.ts'
import { createSessions, type Sessions } from './features/sessions/sessions.ts'
import type { ConfiguredProvider } from './features/social/configuration/assemble-provider.ts'
import { createLinkAccount } from './features/social/link-account.ts'
import { createOwners } from './features/social/owners.ts'
import { createProviderClient } from './features/social/provider-client.ts'
import { createSocial, type Social } from './features/social/social.ts'
import { createTokens, type Tokens } from './features/tokens/tokens.ts'
import { createUsers, type Users } from './features/users/users.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { Metrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import type { Stores } from './stores.ts'

export type Services = {
  audit: Audit
  outbox: Outbox
  limits: Limits
  users: Users
  tokens: Tokens
  sessions: Sessions
  gate: Gate
  login: Login
  social: Social
  administration: Administration
}

type Needs = {
  settings: Settings
  secretKey: string
  stores: Stores
  clock: Clock
  log: Log
  metrics: Metrics
  providers: readonly ConfiguredProvider[]
}

/** In order: a service may use those before it, never one after it. */
export function createServices(needs: Needs): Services {
  const { settings, secretKey, stores, clock, log, metrics, providers } = needs
  const sealedBox = createSealedBox(secretKey, settings.SECRET_KEY_FALLBACKS)
  const passwordHasher = createPasswordHasher({
    hashers: settings.PASSWORD_HASHERS,
    slots: createHashSlots(),
  })

  const audit = createAudit(stores.audit, log, clock)
  const outbox = createOutbox(sealedBox, clock)
  const limits = createLimits(stores.limits, clock)
  const users = createUsers(stores.users, clock)
  const tokens = createTokens(stores.tokens, sealedBox, clock)
  const sessions = createSessions(stores.logins, clock, settings.SESSION_COOKIE_AGE)
  const gate = createGate({
    stores,
    tokens,
    sessions,
    settings,
    clock,
    count: metrics.countLogin,
  })
  const login = createLogin({
    stores,
    users,
    gate,
    failedLogins: createFailedLogins(limits, settings.ACCOUNT.RATE_LIMITS.login_failed),
    passwordHasher,
    settings,
    count: metrics.countLogin,
  })
  const linkAccount = createLinkAccount({ audit, outbox, clock })
  const social = createSocial({
    clients: providers.map((provider) => createProviderClient(provider, { clock, log })),
    stores,
    owners: createOwners({ stores, users, linkAccount, settings }),
    linkAccount,
    gate,
    audit,
    outbox,
    clock,
    log,
  })
  const administration = createAdministration({ stores, users, hasher: passwordHasher, clock })

  return { audit, outbox, limits, users, tokens, sessions, gate, login, social, administration }
}
