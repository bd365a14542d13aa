import { isObject } from '../../kernel/json-object.ts'
import { type Dump, type Mapped, type Mapping, needless, note } from './mapping.ts'
import { toList } from './python-values.ts'

const FRONT_END = 'HEADLESS_FRONTEND_URLS'

/** What a Django project defines in its `urls.py`, its adapter and its web server. */
export const place: readonly Mapping[] = [
  { from: ['ALLOWED_HOSTS'], carry: (dump) => [note('PUBLIC_URL', addressOf(dump))] },
  {
    from: ['ROOT_URLCONF'],
    carry: () => [
      note(
        'AUTH_PREFIX',
        'urls.py is not read; unless it includes dj_rest_auth.urls under /auth/, set AUTH_PREFIX to that path; ROUTES adds further paths',
      ),
    ],
  },
  { from: ['INSTALLED_APPS'], carry: modules },
  { from: [FRONT_END], carry: links },
  needless('HEADLESS_ONLY', 'HEADLESS_CLIENTS', 'HEADLESS_ADAPTER', 'HEADLESS_TOKEN_STRATEGY'),
  needless('HEADLESS_SERVE_SPECIFICATION', 'HEADLESS_SPECIFICATION_TEMPLATE_NAME'),
]

function addressOf(dump: Dump): string {
  const hosts = toList(dump.get('ALLOWED_HOSTS')).map(String)
  const [host, ...others] = hosts.filter((one) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(one))
  const example = host && others.length === 0 ? host : 'api.example.com'
  return `set it to the address that browsers use, such as https://${example}; links, cookies and passkeys are made for it`
}

/** A project without registration must not open it by moving. */
function modules(dump: Dump): readonly Mapped[] {
  const about = 'INSTALLED_APPS'
  const apps = toList(dump.get(about))
  if (!dump.has(about) || apps.includes('dj_rest_auth.registration')) return []
  return [
    { setting: 'MODULES', value: ['social', 'mfa', 'passkeys'], about },
    note('MODULES', 'registration is off, since dj_rest_auth.registration is not installed'),
  ]
}

/** The only setting of allauth that names the pages that links in mails open. */
function links(dump: Dump): readonly Mapped[] {
  const given = dump.get(FRONT_END)
  const { account_confirm_email: confirm, account_reset_password_from_key: reset } = isObject(given)
    ? given
    : {}
  const missing = [
    ...(confirm === undefined ? ['EMAIL_CONFIRM_URL, with {key}'] : []),
    ...(reset === undefined ? ['PASSWORD_RESET_URL, with {uid} and {token}'] : []),
  ]
  return [
    ...(confirm === undefined
      ? []
      : [{ setting: 'EMAIL_CONFIRM_URL', value: confirm, about: FRONT_END }]),
    ...(reset === undefined
      ? []
      : [{ setting: 'PASSWORD_RESET_URL', value: withPair(reset), about: FRONT_END }]),
    ...missing.map((setting) =>
      note(
        setting.split(',')[0] ?? setting,
        `the link in the mail opens a page of Latchkey; to open a page of your front end, set ${setting}`,
      ),
    ),
  ]
}

/** allauth's key of a reset consists of the user's id and the token. */
const withPair = (url: unknown): unknown =>
  typeof url === 'string' ? url.replace('{key}', '{uid}-{token}') : url
