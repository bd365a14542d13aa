import { list, optional } from '../../kernel/setting-kinds/compounds.ts'
import { choice, integer, matching } from '../../kernel/setting-kinds/scalars.ts'
import { throttleRates } from '../kinds/rates.ts'
import { derived, setting } from '../setting.ts'

const key = matching('a name of letters, digits and _', /^[A-Za-z_]\w{0,63}$/)

const CLASSES = ['token', 'jwt', 'session'] as const

export const restFramework = {
  DEFAULT_AUTHENTICATION_CLASSES: derived(
    list(choice(CLASSES), { least: 1 }),
    'all that are on: token, jwt, session',
    ({ TOKEN_MODEL, USE_JWT, SESSION_LOGIN }) =>
      CLASSES.filter(
        (name) => ({ token: TOKEN_MODEL, jwt: USE_JWT, session: SESSION_LOGIN })[name],
      ),
    'Which credentials count on a request; of two cookies that of the first name. A session that is opened at login but not named here signs nobody in and asks for no CSRF token.',
  ),
  DEFAULT_THROTTLE_RATES: setting(
    throttleRates,
    { auth_service: null },
    'Requests per user or client address to all endpoints but `user/`: `<count>/<period>`, such as `5/m` or `100/hour`.',
  ),
  NUM_PROXIES: setting(
    integer(0, 100),
    0,
    'How many proxies in front are trusted to name the client in `X-Forwarded-For`.',
  ),
  NON_FIELD_ERRORS_KEY: setting(
    key,
    'non_field_errors',
    'The key of errors that are tied to no field.',
  ),
  ERRORS_UNDER: setting(
    optional(key),
    null,
    'A key that every 4xx body is put under: with `errors`, `{"errors": {"detail": …}}`.',
  ),
}
