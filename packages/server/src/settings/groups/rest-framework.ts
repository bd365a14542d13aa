import { optional } from '../../kernel/setting-kinds/compounds.ts'
import { integer, matching } from '../../kernel/setting-kinds/scalars.ts'
import { throttleRates } from '../kinds/rates.ts'
import { setting } from '../setting.ts'

const key = matching('a name of letters, digits and _', /^[A-Za-z_]\w{0,63}$/)

export const restFramework = {
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
