import { collectMistakes } from './core/collect-mistakes.ts'
import { askEvery } from './core/every-feature.ts'
import { createHost } from './core/host/host.ts'
import { hostMistakes } from './core/host/host-options.ts'
import { createLanguages } from './core/languages.ts'
import { createMetrics } from './core/metrics.ts'
import { type Place, routingAt } from './core/place.ts'
import { createPresence } from './core/presence.ts'
import { createReadiness } from './core/readiness.ts'
import type { ServiceOptions } from './core/service-options.ts'
import { createSweeper, createSweepWorker } from './core/sweep.ts'
import { createWarmUp } from './core/warm-up.ts'
import { createHashSlots } from './crypto/password-hash/hash-slots.ts'
import { createPasswordHasher } from './crypto/password-hash/password-hasher.ts'
import { createSealedBox } from './crypto/sealed-box.ts'
import { accountFeature } from './features/account/feature.ts'
import { addressesFeature } from './features/addresses/feature.ts'
import { adminFeature } from './features/admin/feature.ts'
import { administrationFeature } from './features/administration/feature.ts'
import { auditFeature } from './features/audit/feature.ts'
import { captchaFeature } from './features/captcha/feature.ts'
import { codesFeature } from './features/codes/feature.ts'
import { devicesFeature } from './features/devices/feature.ts'
import { docsFeature } from './features/docs/feature.ts'
import { eventsFeature } from './features/events/feature.ts'
import { build, type Context, type Feature } from './features/feature.ts'
import { introspectionFeature } from './features/introspection/feature.ts'
import { jwtFeature } from './features/jwt/feature.ts'
import { keysFeature } from './features/keys/feature.ts'
import { limitsFeature } from './features/limits/feature.ts'
import { loginFeature } from './features/login/feature.ts'
import { mailFeature } from './features/mail/feature.ts'
import { mfaFeature } from './features/mfa/feature.ts'
import { operatorsFeature } from './features/operators/feature.ts'
import { pagesFeature } from './features/pages/feature.ts'
import { passkeysFeature } from './features/passkeys/feature.ts'
import { passwordsFeature } from './features/passwords/feature.ts'
import { reauthenticationFeature } from './features/reauthentication/feature.ts'
import { registrationFeature } from './features/registration/feature.ts'
import { sessionsFeature } from './features/sessions/feature.ts'
import { signupFeature } from './features/signup/feature.ts'
import { socialFeature } from './features/social/feature.ts'
import { tokensFeature } from './features/tokens/feature.ts'
import { usersFeature } from './features/users/feature.ts'
import { aliasesOf } from './http/aliases.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { createForgottenProxy } from './http/client-address.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createBothHttpTools } from './http/tools.ts'
import { SECOND, systemClock } from './kernel/clock.ts'
import { SettingsError } from './kernel/settings-error.ts'
import { ADMIN_PATH } from './settings/admin-view.ts'
import type { Settings } from './settings/settings.ts'
import { type Connection, connect } from './storage/connect.ts'
import { refuseHalfMoved } from './storage/half-moved.ts'
import { type Db, handleOf } from './storage/handle.ts'
import { migrate } from './storage/migrate.ts'
import { migrations } from './storage/migrations/all.ts'

export type Service = ReturnType<typeof composeService>

/** Builds a whole service, ready to be mounted. A failed start leaves no connection open. */
export function composeService(settings: Settings, options: ServiceOptions) {
  const wrong = hostMistakes(options)
  if (wrong.length > 0) throw new SettingsError(wrong)
  const { connection = connect(settings, options.log) } = options
  try {
    return compose(settings, options, connection)
  } catch (error) {
    void connection.close()
    throw error
  }
}

/** This is the composition root, the only function that knows every feature. */
function compose(settings: Settings, options: ServiceOptions, connection: Connection) {
  const { clock = systemClock, log, sendsMail = true, outboundMs = 5 * SECOND, team } = options
  const { adminPath = () => ADMIN_PATH } = options
  const { SECRET_KEY: secretKey, PASSWORD_HASHERS: hashers } = settings
  if (secretKey === null) throw new Error('SECRET_KEY is needed.')
  const metrics = createMetrics()
  const slots = createHashSlots({ processes: team?.size ?? 1 })
  const hasher = options.hasher ?? createPasswordHasher({ hashers, slots })
  // Only the first worker sweeps and logs warnings.
  const isFirst = team === undefined || team.number === 1
  const bySettings: Place = { ...settings, base: '' }
  const place = options.place ?? (() => bySettings)
  const features: Feature[] = []
  const { attempt, refuse } = collectMistakes()
  const basis = { settings, languages: createLanguages(settings), place, secretKey, clock }
  const context: Context = {
    ...basis,
    attempt,
    db: handleOf<Db>(connection.db),
    patientDb: handleOf<Db>(connection.patientDb),
    emptyJournal: connection.emptyJournal,
    log,
    metrics,
    sealedBox: createSealedBox(secretKey, settings.SECRET_KEY_FALLBACKS),
    hasher,
    ...createBothHttpTools({ ...basis, adminPath }),
    adminPath,
    everyFeature: askEvery(features),
    host: createHost(options, { log, settings }),
    hooks: options.hooks ?? {},
    mailSender: options.mail,
    transport: options.transport,
    sendsMail,
    outboundMs,
    team,
  }

  // The order matters: a feature may use those before it, never one after it.
  const { house } = build(context, features)
    .add(auditFeature)
    .add(limitsFeature)
    .add(captchaFeature)
    .add(mailFeature)
    .add(usersFeature)
    .add(eventsFeature)
    .add(sessionsFeature)
    .add(operatorsFeature)
    .add(keysFeature)
    .add(tokensFeature)
    .add(devicesFeature)
    .add(passwordsFeature)
    .add(jwtFeature)
    .add(mfaFeature)
    .add(passkeysFeature)
    .add(loginFeature)
    .add(reauthenticationFeature)
    .add(codesFeature)
    .add(signupFeature)
    .add(registrationFeature)
    .add(addressesFeature)
    .add(socialFeature)
    .add(accountFeature)
    .add(introspectionFeature)
    .add(pagesFeature)
    .add(docsFeature)
    .add(administrationFeature)
    .add(adminFeature)

  const declared = features.flatMap(({ endpoints }) => endpoints ?? [])
  const endpoints = declared.map(house.protectEndpoint)
  const withAliases = (at: Place): Endpoint[] => [
    ...endpoints,
    ...aliasesOf(endpoints, routingAt(at)),
  ]
  // Only to report mistakes now: the place can still change.
  attempt(
    () => withAliases(bySettings),
    () => [],
  )
  refuse()

  const sweep = createSweeper({
    sweeps: features.flatMap(({ sweeps }) => sweeps ?? []),
    ...context,
    count: metrics.countSwept,
  })

  const workers = [
    ...(isFirst ? [createSweepWorker(sweep)] : []),
    createWarmUp(
      features.flatMap(({ later }) => later ?? []),
      log,
    ),
    ...features.flatMap(({ worker }) => worker ?? []),
  ]

  const presence = createPresence(connection, log)

  return {
    settings,
    languages: basis.languages,
    clock,
    log,
    metrics,
    team,
    connection,
    /** For long work, such as an import. */
    patientDb: context.patientDb,
    /** For the command line and for tests; not part of the public API. */
    services: house,
    place,
    /** All endpoints, with the further paths of `ROUTES`. */
    endpoints: () => withAliases(place()),
    /** Authenticates a request to us or to a host. */
    authenticate: createAuthenticate({
      ...context,
      authenticators: features.flatMap(({ authenticators }) => authenticators ?? []),
    }),
    /** The admin API and its pages. Null if the module is off. */
    admin: house.admin,
    throttle: house.throttle,
    clientLimits: house.clientLimits,
    noteProxy: createForgottenProxy(log, settings.REST_FRAMEWORK.NUM_PROXIES),

    /** Refuses writes from now on if the database is being moved. For commands, which do not start. */
    freezeIfMoved: presence.freezeIfMoved,
    /** Starts sending mails and deleting expired rows, until it is stopped. */
    async start(): Promise<void> {
      await presence.join()
      for (const { warnings } of isFirst ? features : []) {
        for (const warning of (await warnings?.()) ?? []) log.warn(warning)
      }
      for (const worker of workers) worker.start()
    },
    /** Returns the names of the migrations that ran. */
    async migrate(): Promise<string[]> {
      await refuseHalfMoved(connection)
      await presence.freezeIfMoved()
      const warn = (details: object, words: string) => log.warn(details, words)
      const names = await migrate(connection, migrations, clock.now(), warn)
      for (const feature of features) await feature.afterMigration?.()
      return names
    },
    /** Throws if the database cannot be reached or written to, or is not up to date. */
    checkReady: createReadiness(connection, clock),
    /** Deletes expired rows, which every read already ignores, until it is told to stop. */
    sweep,
    /** Stops the workers first, since they need the database. */
    close: (): Promise<void> =>
      Promise.all(workers.map((worker) => worker.stop()))
        .then(presence.leave)
        .finally(connection.close),
  }
}
