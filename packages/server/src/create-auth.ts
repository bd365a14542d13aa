import { loadVerifiers } from './crypto/webauthn/load-verifiers.ts'
import { authenticateJwt, createTokenAnswers, jwtEndpoints } from './features/jwt/index.ts'
import { createLoginExchange, loginEndpoints } from './features/login/index.ts'
import { mailEndpoints } from './features/mail/index.ts'
import { createMailWorker } from './features/mail/mail-worker.ts'
import { mfaEndpoints } from './features/mfa/index.ts'
import { passkeyEndpoints, whyPasskeysCannotWork } from './features/passkeys/index.ts'
import { passwordEndpoints } from './features/passwords/index.ts'
import { registrationEndpoints } from './features/registration/index.ts'
import { authenticateSession } from './features/sessions/index.ts'
import { configureProviders, socialEndpoints } from './features/social/index.ts'
import { authenticateToken } from './features/tokens/index.ts'
import { fillSkeletons, userEndpoints } from './features/users/index.ts'
import type { AuthOptions, HostedAuth } from './hosted-auth.ts'
import { createPlugin } from './http/create-plugin.ts'
import { type Endpoint, tagged } from './http/endpoint.ts'
import { createHttpTools } from './http/tools.ts'
import { systemClock } from './kernel/clock.ts'
import { createSignal } from './kernel/signal.ts'
import { createLogger } from './logger.ts'
import { createMailTransport } from './mail/create-transport.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createServices, type Services } from './services.ts'
import type { Settings } from './settings.ts'
import { checkWritable } from './storage/check-writable.ts'
import { type Connection, connect } from './storage/connect.ts'
import { migrate, pendingMigrations } from './storage/migrate.ts'
import { migrations } from './storage/migrations/all.ts'
import { createStores } from './stores.ts'
import { createSweepWorker } from './sweep/sweep-worker.ts'
import { createSweeper } from './sweep/sweeper.ts'
import { sweepsOf } from './sweep/sweeps.ts'
import { createWarmUp } from './warm-up.ts'

/** A whole service, ready to be mounted: the composition root, and the only file that knows all. */
export type Auth = HostedAuth & {
  services: Services
  connection: Connection
  endpoints: readonly Endpoint[]
  metrics: Metrics
}

export function createAuth(settings: Settings, options: AuthOptions = {}): Auth {
  const { clock = systemClock, log = createLogger(settings), sendsMail = true } = options
  const { SECRET_KEY: secretKey } = settings
  if (secretKey === null) throw new Error('SECRET_KEY is needed.')

  const hasSocial = settings.MODULES.includes('social')
  const providers = hasSocial ? configureProviders(settings.SOCIALACCOUNT.PROVIDERS) : []

  const connection = connect(settings)
  const posted = createSignal()
  const stores = createStores(connection.db, posted.notify)
  const transport = createMailTransport(settings.EMAIL_URL, settings.EMAIL_FROM)
  const metrics = createMetrics()
  const services = createServices({
    settings,
    secretKey,
    stores,
    transport,
    clock,
    log,
    metrics,
    providers,
  })
  const http = createHttpTools(settings, secretKey, clock)
  const tokenAnswers = createTokenAnswers(http.cookies, settings)
  const exchange = createLoginExchange(http, tokenAnswers, settings)

  const sweep = createSweeper({
    sweeps: sweepsOf(stores, services, clock),
    clock,
    log,
    count: metrics.countSwept,
  })

  const endpoints = [
    ...tagged('Login', loginEndpoints(services, http, exchange, tokenAnswers, settings)),
    ...tagged('Tokens', jwtEndpoints(services, http, tokenAnswers, settings)),
    ...tagged('User', userEndpoints(services.users, settings)),
    ...tagged('Passwords', passwordEndpoints(services, http, tokenAnswers, settings)),
    ...tagged('Registration', registrationEndpoints(services, exchange, settings)),
    ...mailEndpoints(transport),
    ...(settings.MODULES.includes('mfa')
      ? tagged('Second factor', mfaEndpoints(services, exchange))
      : []),
    ...(settings.MODULES.includes('passkeys')
      ? tagged('Passkeys', passkeyEndpoints(services, exchange))
      : []),
    ...(hasSocial ? tagged('Social login', socialEndpoints(services.social, exchange)) : []),
  ]
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = settings.REST_AUTH
  const authenticators = [
    ...(TOKEN_MODEL ? [authenticateToken(services.tokens)] : []),
    ...(USE_JWT ? [authenticateJwt(services.accessTokens, http.cookies, settings)] : []),
    ...(SESSION_LOGIN ? [authenticateSession(services.sessions, http.cookies)] : []),
  ]

  return {
    settings,
    services,
    connection,
    endpoints,
    metrics,
    log,
    plugin: createPlugin({
      settings,
      endpoints,
      authenticators,
      http,
      limits: services.limits,
      workers: [
        createSweepWorker(sweep),
        ...(settings.MODULES.includes('passkeys') ? [createWarmUp(loadVerifiers, log)] : []),
        ...(sendsMail
          ? [createMailWorker({ delivery: services.delivery, transport, posted, log })]
          : []),
      ],
      warnings: warningsFor(settings),
    }),
    async migrate() {
      const names = await migrate(connection, migrations, clock.now())
      if (settings.ACCOUNT.USERNAME_SKELETONS) await fillSkeletons(stores)
      return names
    },
    async checkReady() {
      const pending = await pendingMigrations(connection, migrations)
      if (pending.length > 0) throw new Error(`Migrations are due: ${pending.join(', ')}`)
      await checkWritable(connection.db)
    },
    sweep,
    close: () => connection.db.destroy(),
  }
}

function warningsFor(settings: Settings): string[] {
  const passkeys = settings.MODULES.includes('passkeys') ? whyPasskeysCannotWork(settings) : null
  return [passkeys].filter((warning) => warning !== null)
}
