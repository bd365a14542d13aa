import { isLoopback } from '../../kernel/hosts.ts'
import { hostUrls } from '../../kernel/postgres-hosts.ts'
import { type Check, TURN_ON } from '../finding.ts'
import { valueAt } from '../names.ts'

const isPlainHttp = (url: string): boolean => /^http:/i.test(url)

/** Whether mails could be sent without TLS. On loopback nobody can read them. */
function mayMailInTheClear(url: string): boolean {
  if (!url.startsWith('smtp:')) return false
  const { hostname, searchParams } = new URL(url)
  return !isLoopback(hostname) && searchParams.get('requireTLS') !== 'true'
}

/** Whether what is sent there is sent without TLS. On loopback nobody can read it. */
export const isInTheClear = (url: string): boolean =>
  isPlainHttp(url) && !isLoopback(new URL(url).hostname)

/**
 * Whether statements and their values could be sent to the database without TLS. Sockets, this
 * machine, and names without a dot, as containers have on their own network, need none.
 */
const mayStoreInTheClear = (url: string): boolean =>
  hostUrls(url).some((one) => {
    const { hostname, searchParams } = new URL(one)
    // The driver takes the last of several, and prefers the parameter to the host.
    const last = (name: string) => searchParams.getAll(name).at(-1)
    const host = last('host') || decodeURIComponent(hostname)
    const isNear = host.startsWith('/') || isLoopback(host) || /^[^.:]*$/.test(host)
    const hasTls = last('sslmode')
      ? last('sslmode') !== 'disable'
      : /^(true|1)$/.test(last('ssl') ?? '') || last('sslrootcert') || last('sslcert')
    return !isNear && !hasTls
  })

const ORIGIN_IN_THE_CLEAR =
  'a page that is loaded over plain http is trusted, and others on the network can change it'
const ONLY_HTTPS = 'list only https:// origins'
const USE_HTTPS = 'use an https:// address'

const cookies = (
  ['SESSION_COOKIE_SECURE', 'CSRF_COOKIE_SECURE', 'REST_AUTH.JWT_AUTH_SECURE'] as const
).map(
  (setting): Check => ({
    about: setting,
    cause: 'PUBLIC_URL',
    applies: (settings) => valueAt(settings, setting) === false,
    says: 'the cookie is also sent over plain http, where others on the network can read it',
    mend: TURN_ON,
  }),
)

const LINKS = [
  'PASSWORD_RESET_URL',
  'EMAIL_CONFIRM_URL',
  'EMAIL_CHANGE_URL',
  'INVITATION_URL',
] as const

const links = LINKS.map(
  (setting): Check => ({
    about: setting,
    cause: 'PUBLIC_URL',
    applies: (settings) => isPlainHttp(settings[setting]),
    says: 'the secret in the link is sent unencrypted',
    mend: USE_HTTPS,
  }),
)

const origins = (['CSRF_TRUSTED_ORIGINS', 'CORS_ALLOWED_ORIGINS'] as const).map(
  (setting): Check => ({
    about: setting,
    applies: (settings) => settings[setting].some(isPlainHttp),
    says: ORIGIN_IN_THE_CLEAR,
    mend: ONLY_HTTPS,
  }),
)

/** Settings that let others on the network read or change data. */
export const inTheClear: readonly Check[] = [
  {
    about: 'PUBLIC_URL',
    applies: ({ PUBLIC_URL }) => isPlainHttp(PUBLIC_URL),
    says: 'passwords and tokens are sent unencrypted',
    mend: 'put a proxy with TLS in front of the service, and set PUBLIC_URL to its https:// address',
  },
  ...cookies,
  ...origins,
  {
    about: 'REST_AUTH.PASSKEY_RP_ORIGINS',
    cause: 'PUBLIC_URL',
    applies: ({ REST_AUTH }) => REST_AUTH.PASSKEY_RP_ORIGINS.some(isPlainHttp),
    says: ORIGIN_IN_THE_CLEAR,
    mend: ONLY_HTTPS,
  },
  {
    about: 'DATABASE_URL',
    applies: ({ DATABASE_URL }) => mayStoreInTheClear(DATABASE_URL),
    says: 'everything that the database stores, and its password, is sent to it unencrypted',
    mend: 'add ?sslmode=verify-full, with sslrootcert=<file> if the server has a certificate authority of its own',
  },
  {
    about: 'EMAIL_URL',
    applies: ({ EMAIL_URL }) => !EMAIL_URL.startsWith('smtp'),
    says: 'mails with secret links are printed or written to files, and nobody receives them',
    mend: 'set it to the address of your mail server, smtps://user:password@host',
  },
  {
    about: 'EMAIL_URL',
    applies: ({ EMAIL_URL }) => mayMailInTheClear(EMAIL_URL),
    says: 'if the mail server offers no TLS, the password and mails with secret links are sent unencrypted',
    mend: 'use smtps://, or add ?requireTLS=true',
  },
  {
    about: 'WEBHOOKS',
    applies: ({ WEBHOOKS }) => WEBHOOKS.some(({ url }) => isInTheClear(url)),
    says: 'names and addresses of users are sent unencrypted',
    mend: USE_HTTPS,
  },
  ...links,
]
