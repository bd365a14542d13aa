import {
  carried,
  type Dump,
  isOn,
  type Mapped,
  type Mapping,
  namesIn,
  needless,
  note,
  onto,
} from './mapping.ts'

const BACKENDS = 'django.core.mail.backends.'

const SERVER = namesIn(`
  EMAIL_HOST EMAIL_PORT EMAIL_HOST_USER EMAIL_HOST_PASSWORD EMAIL_USE_TLS EMAIL_USE_SSL
  EMAIL_FILE_PATH
`)

/** Django's many settings of the mail server become one URL. */
export const mail: readonly Mapping[] = [
  { from: ['EMAIL_BACKEND', ...SERVER], carry: emailUrl },
  onto('DEFAULT_FROM_EMAIL', 'EMAIL_FROM'),
  needless(`
    EMAIL_TIMEOUT EMAIL_SUBJECT_PREFIX EMAIL_USE_LOCALTIME EMAIL_SSL_CERTFILE EMAIL_SSL_KEYFILE
  `),
]

function emailUrl(dump: Dump): readonly Mapped[] {
  const about = 'EMAIL_BACKEND'
  const backend = String(dump.get(about) ?? `${BACKENDS}smtp.EmailBackend`)
  if (backend.startsWith(`${BACKENDS}console.`)) return [carried(about, 'console:', 'EMAIL_URL')]
  if (backend.startsWith(`${BACKENDS}filebased.`)) {
    return [carried(about, `file:${dump.get('EMAIL_FILE_PATH') ?? 'mails'}`, 'EMAIL_URL')]
  }
  if (!backend.startsWith(`${BACKENDS}smtp.`)) {
    return [
      note(
        about,
        'mails are sent by SMTP; set EMAIL_URL to the address of your mail server, smtps://user:password@host',
      ),
    ]
  }
  if (!SERVER.some((name) => dump.has(name))) {
    return [note('EMAIL_URL', 'mails are only printed until it is set to a mail server')]
  }
  return [carried('EMAIL_HOST', smtpUrl(dump), 'EMAIL_URL')]
}

function smtpUrl(dump: Dump): string {
  const text = (name: string) => String(dump.get(name) ?? '')
  const host = text('EMAIL_HOST') || 'localhost'
  const [user, password] = ['EMAIL_HOST_USER', 'EMAIL_HOST_PASSWORD'].map((name) =>
    encodeURIComponent(text(name)),
  )
  const login = user ? `${user}${password ? `:${password}` : ''}@` : ''
  const isTls = isOn(dump.get('EMAIL_USE_SSL'))
  // Django's default port is 25 for every protocol.
  const port = text('EMAIL_PORT') || '25'
  const query = !isTls && isOn(dump.get('EMAIL_USE_TLS')) ? '?requireTLS=true' : ''
  return `${isTls ? 'smtps' : 'smtp'}://${login}${host}:${port}${query}`
}
