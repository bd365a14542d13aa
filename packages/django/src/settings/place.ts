import { isObject } from '../../../server/src/kernel/json-object.ts'
import { endpointsThere, type Found } from './endpoints-there.ts'
import { factsOf } from './facts.ts'
import { carried, type Dump, isOn, type Mapped, type Mapping, needless, note } from './mapping.ts'
import { modulesOf } from './modules.ts'
import { toList } from './python-values.ts'
import { prefixAndRoutes } from './routes.ts'
import { keptProviders, type ProviderCheck } from './socialaccount.ts'

const FRONT_END = 'HEADLESS_FRONTEND_URLS'
const URLS = 'ROOT_URLCONF'

const NO_PREFIX =
  'no URL pattern of the project is where dj-rest-auth has its endpoints; ROUTES has those that were found'

/** What a Django project defines in its `urls.py`, its adapter and its web server. */
export const place = (check: ProviderCheck): readonly Mapping[] => [
  { from: ['ALLOWED_HOSTS'], carry: (dump) => [note('PUBLIC_URL', addressOf(dump))] },
  { from: [URLS], carry: (dump) => paths(dump, check) },
  { from: [FRONT_END], carry: links },
  needless(`
    HEADLESS_ONLY HEADLESS_CLIENTS HEADLESS_ADAPTER HEADLESS_TOKEN_STRATEGY
    HEADLESS_SERVE_SPECIFICATION HEADLESS_SPECIFICATION_TEMPLATE_NAME
  `),
]

function addressOf(dump: Dump): string {
  const hosts = toList(dump.get('ALLOWED_HOSTS')).map(String)
  const [host, ...others] = hosts.filter((one) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(one))
  const example = host && others.length === 0 ? host : 'api.example.com'
  return `set it to the address that browsers use, such as https://${example}; links, cookies and passkeys are made for it`
}

function paths(dump: Dump, check: ProviderCheck): readonly Mapped[] {
  const { urls } = factsOf(dump)
  if (urls === null) {
    return [
      note(
        'AUTH_PREFIX',
        'the dump has no URL patterns; unless urls.py includes dj_rest_auth.urls under /auth/, set AUTH_PREFIX to that path; ROUTES adds further paths; password/reset/ is open even if the project does not serve it, and so are social logins unless you remove social from MODULES',
      ),
    ]
  }
  const { prefix, routes } = prefixAndRoutes(endpointsThere(urls).filter(isServed(dump, check)))
  const value = Object.fromEntries(
    Object.entries(routes).map(([key, paths]) => [key, paths.length === 1 ? paths[0] : paths]),
  )
  return [
    prefix === null ? note('AUTH_PREFIX', NO_PREFIX) : carried(URLS, prefix, 'AUTH_PREFIX'),
    // The pages are at this path by default, and must not collide with the endpoints.
    ...(prefix === '/account/' ? [carried(URLS, '/account-pages/', 'PAGES_PREFIX')] : []),
    ...(Object.keys(value).length > 0 ? [carried(URLS, value, 'ROUTES')] : []),
  ]
}

/** A path of a feature that is off would prevent the start. */
function isServed(dump: Dump, check: ProviderCheck): (found: Found) => boolean {
  const modules = modulesOf(dump)
  const providers = modules.includes('social') ? keptProviders(dump, check) : []
  const hasJwt = isOn(dump.get('REST_AUTH.USE_JWT'))
  return ({ endpoint }) => {
    const [first = ''] = endpoint.split('/')
    if (first === 'token') return hasJwt
    if (first === 'registration') return modules.includes('registration')
    if (first === 'socialaccounts') return modules.includes('social')
    return ['login', 'logout', 'user', 'password', ...providers].includes(first)
  }
}

/** The only setting of allauth that names the pages that links in mails open. */
function links(dump: Dump): readonly Mapped[] {
  const given = dump.get(FRONT_END)
  const { account_confirm_email: confirm, account_reset_password_from_key: reset } = isObject(given)
    ? given
    : {}
  return [
    linkOf('EMAIL_CONFIRM_URL', confirm, '{key}'),
    linkOf('PASSWORD_RESET_URL', withPair(reset), '{uid} and {token}'),
  ]
}

const linkOf = (setting: string, url: unknown, parts: string): Mapped =>
  url === undefined
    ? note(
        setting,
        `the link in the mail opens a page of Latchkey; to open a page of your front end, set ${setting}, with ${parts}`,
      )
    : carried(FRONT_END, url, setting)

/** allauth's key of a reset consists of the user's id and the token. */
const withPair = (url: unknown): unknown =>
  typeof url === 'string' ? url.replace('{key}', '{uid}-{token}') : url
