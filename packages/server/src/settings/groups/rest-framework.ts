import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import { choice, integer, matching } from '../../kernel/setting-kinds/scalars.ts'
import { throttleRates } from '../kinds/rates.ts'
import { derived, setting } from '../setting.ts'

const key = matching('a name of letters, digits and _', /^[A-Za-z_]\w{0,63}$/)

const CLASSES = ['token', 'jwt', 'session'] as const

export const restFramework = {
  DEFAULT_AUTHENTICATION_CLASSES: derived(
    list(choice(CLASSES), { least: 1 }),
    'all that are on, in the order token, jwt, session',
    ({ TOKEN_MODEL, USE_JWT, SESSION_LOGIN }) =>
      CLASSES.filter(
        (name) => ({ token: TOKEN_MODEL, jwt: USE_JWT, session: SESSION_LOGIN })[name],
      ),
    'Which credentials authenticate a request. If a request has two cookies, the one that is named first counts. If `session` is missing here, the session cookie authenticates nobody and needs no CSRF token.',
  ),
  DEFAULT_THROTTLE_RATES: setting(
    throttleRates,
    { auth_service: null },
    'How many requests a user or client address may send to all endpoints except `user/`: `<count>/<period>`, such as `5/m` or `100/hour`.',
  ),
  NUM_PROXIES: setting(
    integer(0, 100),
    0,
    'The number of proxies in front of the service. With too small a number all clients seem to have the same address; with too large a number clients can pretend to have any address.',
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
