import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { list, optionalText } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, kind, read, textual } from '../../kernel/setting-kinds/kind.ts'
import {
  choice,
  flag,
  integer,
  linkTemplate,
  matching,
  positiveNumber,
  text,
  webOrigin,
} from '../../kernel/setting-kinds/scalars.ts'
import { duration } from '../../kernel/setting-kinds/times.ts'
import { databaseUrl, emailUrl } from '../kinds/connection-urls.ts'
import { isMoved, linkPath, routes } from '../kinds/routes.ts'
import { userFields } from '../kinds/user-fields.ts'
import { webhooks } from '../kinds/webhooks.ts'
import { type Basis, derived, hostOf, type Setting, setting } from '../setting.ts'

const MODULES = ['registration', 'social', 'mfa', 'passkeys', 'pages'] as const
/** Off unless the settings name it: it is the most dangerous part of the service. */
const ALL_MODULES = [...MODULES, 'admin'] as const

const prefix = textual('a path that begins with /, such as /auth/', (input) => {
  const path = input.endsWith('/') ? input : `${input}/`
  return /^\/([\w~-][\w.~-]*\/)*$/.test(path) ? path : undefined
})

const workers: Kind<number | 'auto'> = kind(
  'a whole number from 1 to 256, or auto',
  (input) => read(integer(1, 256), input) ?? read(choice(['auto']), input),
)

/** No client waits longer than this. */
const databaseTimeout = duration({ least: 0.1 * SECOND, most: MINUTE })

/** No line breaks and no second address, since the value goes into a mail header. */
const mailbox = matching(
  'an address, user@example.com or Name <user@example.com>',
  /^(?:[^\s<>@,;]+@[^\s<>@,;]+|[^<>\r\n]+<[^\s<>@,;]+@[^\s<>@,;]+>)$/,
)

type LinkTargets = {
  /** Among the hosted pages. */
  page: string
  /** If the hosted pages are off, or `ROUTES` has moved the page. */
  plain: string
}

/** A link in a mail. By default it opens a page of the service. */
const link = (template: Kind<string>, { page, plain }: LinkTargets, doc: string): Setting<string> =>
  derived(
    template,
    `<PUBLIC_URL><PAGES_PREFIX>${page}`,
    ({ PUBLIC_URL, AUTH_PREFIX, PAGES_PREFIX, ROUTES, MODULES }) => {
      const isHosted = MODULES.includes('pages') && !isMoved(ROUTES, plain)
      const path = isHosted ? `${PAGES_PREFIX}${page}` : linkPath(AUTH_PREFIX, ROUTES, plain)
      return `${PUBLIC_URL}${path}`
    },
    doc,
  )

/** Below the pages: what the link in an invitation opens. */
const INVITATION_PAGE = 'invitation/'

export const invitationPage = (b: Pick<Basis, 'PUBLIC_URL' | 'PAGES_PREFIX'>): string =>
  `${b.PUBLIC_URL}${b.PAGES_PREFIX}${INVITATION_PAGE}{key}`

/** One line, since it is in the subject of mails. */
const siteName = matching('one line of at most 60 characters', /^\P{Cc}{1,60}$/u)

const color = matching('a colour, such as #3b5bdb', /^#[0-9a-f]{6}$/i)

export const service = {
  HOST: setting(
    text,
    '127.0.0.1',
    'The address to listen on. `0.0.0.0` listens on all network interfaces.',
  ),
  PORT: setting(
    integer(0, 65535),
    8000,
    'The port to listen on. With `0` the system chooses a free one.',
  ),
  WORKERS: setting(
    workers,
    1,
    'How many processes `latchkey serve` runs on one port. `auto` runs one per core.',
  ),
  SHUTDOWN_DELAY: setting(
    duration({ least: 0, most: 5 * MINUTE }),
    0,
    'How long the service still accepts connections after it was told to stop. Meanwhile `/readyz` is 503, so that a load balancer sends its requests elsewhere.',
  ),
  PUBLIC_URL: derived(
    webOrigin,
    'http://localhost:<PORT>',
    ({ PORT }) => new URL(`http://localhost:${PORT}`).origin,
    'The address at which browsers reach the service. Links, cookies and passkeys are made for it.',
  ),
  AUTH_PREFIX: setting(prefix, '/auth/', 'The path below which all endpoints are.'),
  PAGES_PREFIX: setting(
    prefix,
    '/account/',
    'The path of the hosted pages (login, registration, account), if the module `pages` is on.',
  ),
  SITE_NAME: derived(
    siteName,
    'the host of PUBLIC_URL',
    hostOf,
    'The name of your site, on pages and in mails.',
  ),
  SITE_COLOR: setting(
    color,
    '#3b5bdb',
    'The colour of buttons and links on the pages. It is made darker or lighter where text would not be readable.',
  ),
  API_DOCS: setting(
    flag,
    true,
    'Serve the page `docs/`, which shows the API and can send requests to it.',
  ),
  ROUTES: setting(
    routes,
    {},
    'Additional paths for endpoints. Each key is a path below `AUTH_PREFIX`; its value is one path or a list, relative to the prefix or, with a leading slash, absolute. `{"registration/": "register/"}` covers everything below `registration/`. If several keys match, the longest one wins. Links in mails use the first path.',
  ),
  MODULES: setting(
    list(choice(ALL_MODULES)),
    MODULES,
    'The modules that are on. The endpoints of the others answer 404. `admin` is off unless you add it: the admin API and its pages. See docs/administration.md.',
  ),
  USER_PK: setting(
    choice(['integer', 'uuid']),
    'integer',
    'The type of `pk`: a number, or a UUID for users from a Django project with UUID keys. Choose it before the first user exists.',
  ),
  USER_FIELDS: setting(
    userFields,
    {},
    'Additional fields of users, by name: `{"type": …, "max_length", "min", "max", "choices", "required", "default", "editable", "signup", "unique"}`. See docs/user-fields.md.',
  ),
  LOG_LEVEL: setting(
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'The lowest severity that is logged.',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    'sqlite:latchkey-data/latchkey.db',
    'Where data is stored: in an embedded SQLite file for one instance, or in PostgreSQL for any number of instances. `postgres://user:password@a:5432,b:5432/database` names a primary and its stand-bys in any order; the one that accepts writes is used.',
  ),
  DATABASE_POOLER: setting(
    choice(['auto', 'none', 'transaction']),
    'auto',
    'Whether a pooler such as PgBouncer is between the service and PostgreSQL. `auto` finds out. With `none`, statements are prepared. With `transaction`, nothing depends on a connection between two transactions.',
  ),
  DATABASE_READ_TIMEOUT: setting(
    databaseTimeout,
    2 * SECOND,
    'How long a read may take, including the wait for a connection. After that the answer is 503.',
  ),
  DATABASE_WRITE_TIMEOUT: setting(
    databaseTimeout,
    5 * SECOND,
    'How long a whole transaction may take, including the wait for locks and retries. After that the answer is 503.',
  ),
  EMAIL_URL: setting(
    emailUrl,
    'console:',
    'How mails are sent: `console:` prints them, `file:` writes them to a folder, and `smtp:` or `smtps:` sends them.',
  ),
  EMAIL_FROM: derived(
    mailbox,
    'noreply@<host of PUBLIC_URL>',
    (basis) => `noreply@${hostOf(basis)}`,
    'The sender of every mail.',
  ),
  EMAIL_TEMPLATES_DIR: setting(
    optionalText,
    null,
    'A folder with your own texts for the mails: `<letter>.txt` and `<letter>.html`. See docs/mail.md.',
  ),
  WEBHOOKS: setting(
    webhooks,
    [],
    'Other programs that receive events about accounts: `[{"url": …, "secret": "whsec_…", "events": ["registered", "deleted"], "allow_private_network": false}]`. Without `events` they receive all. See docs/webhooks.md.',
  ),
  PASSWORD_RESET_URL: link(
    linkTemplate('uid', 'token'),
    { page: 'password/reset/{uid}/{token}', plain: 'password/reset/confirm/{uid}/{token}/' },
    'The page that the link in a password reset mail opens.',
  ),
  EMAIL_CONFIRM_URL: link(
    linkTemplate('key'),
    { page: 'confirm/{key}', plain: 'registration/account-confirm-email/{key}/' },
    'The page that the link in a verification mail opens.',
  ),
  EMAIL_CHANGE_URL: link(
    linkTemplate('key'),
    { page: 'email/confirm/{key}', plain: 'email/change/confirm/{key}/' },
    'The page that the link in the mail to a new address opens.',
  ),
  INVITATION_URL: derived(
    linkTemplate('key'),
    `<PUBLIC_URL><PAGES_PREFIX>${INVITATION_PAGE}{key}`,
    invitationPage,
    'The page that the link in an invitation opens. If the module `pages` is off, it must be a page of yours.',
  ),
  INVITATION_EXPIRE_DAYS: setting(
    positiveNumber(3650),
    7,
    'For how many days an invitation is valid. Sending it again restarts the count.',
  ),
  INVITATIONS_BY_USERS: setting(
    flag,
    false,
    'Let users invite others with `invitations/`, if `ACCOUNT.SIGNUP` is `invited`. Otherwise only operators do.',
  ),
}
