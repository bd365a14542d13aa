import { integer } from '../../kernel/setting-kinds/scalars.ts'
import { throttleRates } from '../kinds/rates.ts'
import { setting } from '../setting.ts'

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
}
