import { flag } from '../../kernel/setting-kinds/scalars.ts'
import { setting } from '../setting.ts'

/** What operators may do besides the command line. */
export const admin = {
  ADMIN_IMPERSONATION: setting(
    flag,
    false,
    'Operators may use the account of an ordinary user for 30 minutes, with a reason. The user gets a mail.',
  ),
}
