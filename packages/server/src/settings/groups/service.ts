import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { linkTemplate, webOrigin } from '../../kernel/setting-kinds/addresses.ts'
import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, textual } from '../../kernel/setting-kinds/kind.ts'
import { choice, integer, matching, text } from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { databaseUrl, emailUrl } from '../kinds/connection-urls.ts'
import { linkPath, routes } from '../kinds/routes.ts'
import { userFields } from '../kinds/user-fields.ts'
import { derived, hostOf, type Setting, setting } from '../setting.ts'

const MODULES = ['registration', 'social', 'mfa', 'passkeys'] as const

const prefix = textual('a path that begins with /, such as /auth/', (input) => {
  const path = input.endsWith('/') ? input : `${input}/`
  return /^\/([\w~-][\w.~-]*\/)*$/.test(path) ? path : undefined
})

/** No client waits longer than this. */
const databaseTimeout = duration({ least: 0.1 * SECOND, most: MINUTE })

/** No line breaks and no second address, since the value goes into a mail header. */
const mailbox = matching(
  'an address, user@example.com or Name <user@example.com>',
  /^(?:[^\s<>@,;]+@[^\s<>@,;]+|[^<>\r\n]+<[^\s<>@,;]+@[^\s<>@,;]+>)$/,
)

/** A link in a mail. By default it leads to a page of the service. */
const link = (template: Kind<string>, page: string, doc: string): Setting<string> =>
  derived(
    template,
    `<PUBLIC_URL><AUTH_PREFIX>${page}`,
    ({ PUBLIC_URL, AUTH_PREFIX, ROUTES }) => `${PUBLIC_URL}${linkPath(AUTH_PREFIX, ROUTES, page)}`,
    doc,
  )

export const service = {
  HOST: setting(text, '127.0.0.1', 'The address to listen on; 0.0.0.0 is every interface.'),
  PORT: setting(integer(0, 65535), 8000, 'The port to listen on; 0 is any free one.'),
  PUBLIC_URL: derived(
    webOrigin,
    'http://localhost:<PORT>',
    ({ PORT }) => new URL(`http://localhost:${PORT}`).origin,
    'Where browsers reach the service; links, cookies and passkeys follow from it.',
  ),
  AUTH_PREFIX: setting(prefix, '/auth/', 'The path under which every endpoint is served.'),
  ROUTES: setting(
    routes,
    {},
    'Further paths of endpoints, from a path below `AUTH_PREFIX` to one path or a list: relative to the prefix, or absolute with a leading slash. `{"registration/": "register/"}` covers all that is below `registration/`; a longer path wins. Links in mails use the first one.',
  ),
  MODULES: setting(
    list(choice(MODULES)),
    MODULES,
    'The modules that are on; the endpoints of the others do not exist.',
  ),
  USER_FIELDS: setting(
    userFields,
    {},
    'Fields of users besides the built-in ones: name to `{"type": …, "max_length", "min", "max", "choices", "required", "default", "editable", "signup", "unique"}`; see docs/user-fields.md.',
  ),
  LOG_LEVEL: setting(
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The least severe event that is logged.',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    'sqlite:latchkey-data/latchkey.db',
    'Embedded SQLite for one instance, PostgreSQL for several that act as one.',
  ),
  DATABASE_READ_TIMEOUT: setting(
    databaseTimeout,
    2 * SECOND,
    'How long a lookup may take, the wait for a connection included, until the answer is 503.',
  ),
  DATABASE_WRITE_TIMEOUT: setting(
    databaseTimeout,
    5 * SECOND,
    'The same for a transaction as a whole, with the waiting for locks and for another try.',
  ),
  EMAIL_URL: setting(
    emailUrl,
    'console:',
    'How mails leave: printed, as files in a directory, or by SMTP.',
  ),
  EMAIL_FROM: derived(
    mailbox,
    'noreply@<host of PUBLIC_URL>',
    (basis) => `noreply@${hostOf(basis)}`,
    'The sender of every mail.',
  ),
  EMAIL_TEMPLATES_DIR: setting(
    optional(text),
    null,
    'A directory with words of your own for the mails: `<letter>.txt` and `<letter>.html`.',
  ),
  PASSWORD_RESET_URL: link(
    linkTemplate('uid', 'token'),
    'password/reset/confirm/{uid}/{token}/',
    'The page that a password reset mail links to.',
  ),
  EMAIL_CONFIRM_URL: link(
    linkTemplate('key'),
    'registration/account-confirm-email/{key}/',
    'The page that a verification mail links to.',
  ),
}
