import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import type { Kind } from '../../kernel/setting-kinds/kind.ts'
import { choice, integer, matching } from '../../kernel/setting-kinds/scalars.ts'
import { throttleRates } from '../kinds/rates.ts'
import { setting } from '../setting.ts'

const key = matching('a name of letters, digits and _', /^[A-Za-z_]\w{0,63}$/)

/** The order in which they are tried if the setting has none. */
export const CLASSES = ['token', 'jwt', 'session'] as const

const listed = list(choice(CLASSES), { least: 1 })

/** Null means all that are on. */
const classes: Kind<readonly (typeof CLASSES)[number][] | null> = {
  ...listed,
  expected: `${listed.expected}, or all`,
  parse: (input) => (input === 'all' ? { value: null } : listed.parse(input)),
  show: (value) => (value === null ? 'all' : listed.show(value)),
}

export const restFramework = {
  DEFAULT_AUTHENTICATION_CLASSES: setting(
    classes,
    null,
    'Which credentials authenticate a request: `all` that are on, or a list. With a list, the first class that finds a credential decides, so with `session` before `token` a session counts despite a bad `Authorization` header. Without a list, the header counts before the JWT cookie, and the cookie before the session. If the list has no `session`, the session cookie authenticates nobody and needs no CSRF token.',
  ),
  DEFAULT_THROTTLE_RATES: setting(
    throttleRates,
    { auth_service: null },
    'How many requests a user or client address may send to all endpoints except `user/`: `<count>/<period>`, such as `5/m` or `100/hour`.',
  ),
  NUM_PROXIES: setting(
    integer(0, 100),
    0,
    'The number of proxies in front of the service. If the number is too small, all clients seem to have the same address; if it is too large, clients can fake any address.',
  ),
  NON_FIELD_ERRORS_KEY: setting(
    key,
    'non_field_errors',
    'The key for errors that do not belong to one field.',
  ),
  ERRORS_UNDER: setting(
    optional(key),
    null,
    'A key that contains the whole body of every 4xx answer: with `errors`, it is `{"errors": {"detail": …}}`.',
  ),
}
