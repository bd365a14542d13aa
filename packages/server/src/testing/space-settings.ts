import { isObject } from '../kernel/json-object.ts'
import { randomHex } from '../kernel/random.ts'
import { TEST_PATH } from '../settings/path-rules.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { KeyedSettings } from '../settings/secret-key.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import type { Client } from './identity-provider.ts'

/** The server URL of a provider that the test service plays itself. */
const PLAYED = 'test:'

export const SPACE_HEADER = 'X-Test-Space'

/** All spaces of a service have these in common. */
export type Common = {
  readonly input: SettingsInput
  /** One key for all spaces, so that a program under test can check the tokens of each. */
  readonly secretKey: string
}

export const commonOf = (input: SettingsInput): Common => ({
  input,
  secretKey: input.SECRET_KEY ?? randomHex(32),
})

/** The settings of a space that is reached at a port of its own, and at those of other addresses. */
export function settingsOf(
  { input, secretKey }: Common,
  port: number,
  origins: readonly string[],
): { settings: KeyedSettings; clients: Readonly<Record<string, Client>> } {
  const settings = resolveSettings({
    LOG_LEVEL: 'warn',
    ...input,
    PORT: port,
    HOST: '127.0.0.1',
    SECRET_KEY: secretKey,
    DATABASE_URL: 'sqlite::memory:',
    // The transport is replaced. With this one, the mailbox page exists.
    EMAIL_URL: 'console:',
    WORKERS: 1,
    SHUTDOWN_DELAY: 0,
    ADMIN_LISTEN: 'public',
  })
  const { REST_AUTH, SOCIALACCOUNT, CSRF_TRUSTED_ORIGINS, CORS_ALLOW_HEADERS } = settings
  const issuerOf = (name: string) => `http://localhost:${port}${TEST_PATH}idp/${name}`
  const { providers, clients } = withPlayed(SOCIALACCOUNT.PROVIDERS, issuerOf)
  return {
    clients,
    settings: {
      ...settings,
      SECRET_KEY: secretKey,
      SOCIALACCOUNT: { ...SOCIALACCOUNT, PROVIDERS: providers },
      CSRF_TRUSTED_ORIGINS: [...CSRF_TRUSTED_ORIGINS, ...origins],
      // Browsers ask first whether a page of another origin may send it.
      CORS_ALLOW_HEADERS: [...CORS_ALLOW_HEADERS, SPACE_HEADER],
      REST_AUTH: {
        ...REST_AUTH,
        PASSKEY_RP_ORIGINS: [...REST_AUTH.PASSKEY_RP_ORIGINS, ...origins],
      },
    },
  }
}

type Providers = KeyedSettings['SOCIALACCOUNT']['PROVIDERS']

/** Replaces `test:` by the address of the stand-in, and lists the clients that it has to know. */
function withPlayed(providers: Providers, issuerOf: (name: string) => string) {
  const clients: Record<string, Client> = {}
  const { openid_connect: block } = providers
  if (!block || !Array.isArray(block.APPS)) return { providers, clients }
  const APPS = block.APPS.map((app: unknown) => {
    if (!isObject(app) || !isObject(app.settings)) return app
    const { provider_id, client_id, secret = '', settings } = app
    if (settings.server_url !== PLAYED || typeof provider_id !== 'string') return app
    const issuer = issuerOf(provider_id)
    clients[provider_id] = { issuer, clientId: String(client_id), secret: String(secret) }
    return { ...app, settings: { ...settings, server_url: issuer } }
  })
  return { providers: { ...providers, openid_connect: { ...block, APPS } }, clients }
}
