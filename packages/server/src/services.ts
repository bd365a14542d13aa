import type { Jwt } from './crypto/jwt/jwt.ts'
import { createKeyedDigest } from './crypto/keyed-digest.ts'
import { createHashSlots } from './crypto/password-hash/hash-slots.ts'
import { createPasswordHasher } from './crypto/password-hash/password-hasher.ts'
import { createSealedBox } from './crypto/sealed-box.ts'
import {
  type Administration,
  createAdministration,
} from './features/administration/administration.ts'
import { createReseal, type Reseal } from './features/administration/reseal.ts'
import { type Audit, createAudit } from './features/audit/audit.ts'
import type { AccessTokens } from './features/jwt/access-tokens.ts'
import { createJwtServices } from './features/jwt/jwt-services.ts'
import type { RefreshTokens } from './features/jwt/refresh-tokens.ts'
import { createLimits, type Limits } from './features/limits/limits.ts'
import { createMailLimits } from './features/limits/mail-limits.ts'
import { createNameChanges } from './features/limits/name-changes.ts'
import { createFailedLogins, type FailedLogins } from './features/login/failed-logins.ts'
import { createGate, type Gate } from './features/login/gate.ts'
import { createLogin, type Login } from './features/login/login.ts'
import { createDelivery, type Delivery } from './features/mail/delivery.ts'
import { createOutbox, type Outbox } from './features/mail/outbox.ts'
import { createMfa, type Mfa } from './features/mfa/mfa.ts'
import { createPasskeys, type Passkeys } from './features/passkeys/passkeys.ts'
import { createPasswordChange, type PasswordChange } from './features/passwords/password-change.ts'
import { createPasswordReset, type PasswordReset } from './features/passwords/password-reset.ts'
import { createPasswordRules } from './features/passwords/password-rules.ts'
import { createResetTokens } from './features/passwords/reset-tokens.ts'
import { createRegistration, type Registration } from './features/registration/registration.ts'
import { createVerification, type Verification } from './features/registration/verification.ts'
import { createSessions, type Sessions } from './features/sessions/sessions.ts'
import type { ConfiguredProvider } from './features/social/configuration/assemble-provider.ts'
import { createLinkAccount } from './features/social/link-account.ts'
import { createOwners } from './features/social/owners.ts'
import { createProviderClient } from './features/social/provider-client.ts'
import { createSocial, type Social } from './features/social/social.ts'
import { createTokens, type Tokens } from './features/tokens/tokens.ts'
import { createProvedAddress } from './features/users/proved-address.ts'
import { createUnprovedAdditions } from './features/users/unproved-additions.ts'
import { createUsers, type Users } from './features/users/users.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import { createRender } from './mail/render.ts'
import type { MailTransport } from './mail/transport.ts'
import { wordsFrom } from './mail/words/from-folder.ts'
import type { Metrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import type { Stores } from './stores.ts'

export type Services = {
  audit: Audit
  outbox: Outbox
  delivery: Delivery
  limits: Limits
  users: Users
  tokens: Tokens
  sessions: Sessions
  passwordChange: PasswordChange
  passwordReset: PasswordReset
  jwt: Jwt
  accessTokens: AccessTokens
  refreshTokens: RefreshTokens
  mfa: Mfa
  passkeys: Passkeys
  gate: Gate
  failedLogins: FailedLogins
  login: Login
  verification: Verification
  registration: Registration
  social: Social
  administration: Administration
  reseal: Reseal
}

type Needs = {
  settings: Settings
  secretKey: string
  stores: Stores
  transport: MailTransport
  clock: Clock
  log: Log
  metrics: Metrics
  providers: readonly ConfiguredProvider[]
}

/** In order: a service may use those before it, never one after it. */
export function createServices(needs: Needs): Services {
  const { settings, secretKey, stores, transport, clock, log, metrics, providers } = needs
  const { RATE_LIMITS } = settings.ACCOUNT
  const sealedBox = createSealedBox(secretKey, settings.SECRET_KEY_FALLBACKS)
  const passwordHasher = createPasswordHasher({
    hashers: settings.PASSWORD_HASHERS,
    slots: createHashSlots(),
  })

  const audit = createAudit(stores.audit, log, clock)
  const limits = createLimits(stores.limits, clock)
  const outbox = createOutbox({
    sealedBox,
    noticeLimits: createMailLimits(limits, 'notice-mail', RATE_LIMITS.notice_mail),
    clock,
    count: metrics.countMail,
  })
  const delivery = createDelivery({
    store: stores.outbox,
    outbox,
    transport,
    render: createRender(wordsFrom(settings.EMAIL_TEMPLATES_DIR)),
    site: new URL(settings.PUBLIC_URL).hostname,
    clock,
    log,
    metrics,
  })
  const nameChanges = createNameChanges(limits, RATE_LIMITS.change_name)
  const users = createUsers({ store: stores.users, nameChanges, settings, clock })
  const provedAddress = createProvedAddress(settings)
  const unprovedAdditions = createUnprovedAdditions({ audit, outbox })
  const tokens = createTokens(stores.tokens, sealedBox, clock)
  const sessions = createSessions(stores.logins, clock, settings)
  const { pairs, ...jwtServices } = createJwtServices({ ...needs, sealedBox, sessions, audit })
  const failedLogins = createFailedLogins(limits, RATE_LIMITS.login_failed)
  const passwordNeeds = {
    stores,
    outbox,
    audit,
    guesses: failedLogins,
    rules: createPasswordRules(),
    hasher: passwordHasher,
    clock,
  }
  const passwordChange = createPasswordChange({ ...passwordNeeds, sessions, settings })
  const passwordReset = createPasswordReset({
    ...passwordNeeds,
    users,
    unprovedAdditions,
    mailLimits: createMailLimits(limits, 'reset-mail', RATE_LIMITS.reset_mail),
    tokens: createResetTokens({
      secretKey,
      clock,
      lifetimeMs: settings.PASSWORD_RESET_TIMEOUT,
    }),
    linkTemplate: settings.PASSWORD_RESET_URL,
  })
  const mfa = createMfa({
    stores,
    audit,
    outbox,
    limits,
    provedAddress,
    sealedBox,
    keyedDigest: createKeyedDigest(secretKey, settings.SECRET_KEY_FALLBACKS, 'recovery-codes'),
    settings,
    clock,
  })
  const passkeys = createPasskeys({
    stores,
    users,
    audit,
    outbox,
    provedAddress,
    settings,
    secretKey,
    clock,
    log,
  })
  const gate = createGate({
    stores,
    tokens,
    sessions,
    pairs,
    refreshTokens: jwtServices.refreshTokens,
    mfa,
    settings,
    clock,
    count: metrics.countLogin,
  })
  const login = createLogin({
    stores,
    users,
    gate,
    failedLogins,
    passwordHasher,
    settings,
    count: metrics.countLogin,
  })
  const verification = createVerification({
    stores,
    users,
    outbox,
    audit,
    provedAddress,
    unprovedAdditions,
    mailLimits: createMailLimits(limits, 'verify-mail', RATE_LIMITS.verify_mail),
    linkTemplate: settings.EMAIL_CONFIRM_URL,
    expireDays: settings.ACCOUNT.EMAIL_CONFIRMATION_EXPIRE_DAYS,
    clock,
  })
  const registration = createRegistration({
    ...passwordNeeds,
    users,
    mailLimits: createMailLimits(limits, 'registered-mail', RATE_LIMITS.verify_mail),
    verification,
    gate,
    settings,
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
    provedAddress,
    clock,
    log,
  })
  const administration = createAdministration({
    stores,
    audit,
    users,
    mfa,
    hasher: passwordHasher,
    clock,
  })

  return {
    audit,
    outbox,
    delivery,
    limits,
    users,
    tokens,
    sessions,
    passwordChange,
    passwordReset,
    ...jwtServices,
    mfa,
    passkeys,
    gate,
    failedLogins,
    login,
    verification,
    registration,
    social,
    administration,
    reseal: createReseal({ stores, sealedBox, recoveryCodes: mfa.recoveryCodes }),
  }
}
