import { flag, webOrigin } from '../../kernel/setting-kinds/scalars.ts'
import { adminAddress, adminListen } from '../kinds/admin-listen.ts'
import { derived, setting } from '../setting.ts'

/** What operators may do besides the command line. */
export const admin = {
  ADMIN_LISTEN: setting(
    adminListen,
    '127.0.0.1:8001',
    'Where the admin API and its pages are, if the module `admin` is on: an address of its own, or `public` for the address of the service.',
  ),
  ADMIN_PUBLIC_URL: derived(
    webOrigin,
    'http://localhost:<port of ADMIN_LISTEN>; PUBLIC_URL if that is public',
    ({ ADMIN_LISTEN, PUBLIC_URL }) => {
      const address = adminAddress(ADMIN_LISTEN)
      return address === null ? PUBLIC_URL : new URL(`http://localhost:${address.port}`).origin
    },
    'The address at which browsers reach the admin pages. Their cookies and passkeys are made for it, and no other page may use them.',
  ),
  ADMIN_IMPERSONATION: setting(
    flag,
    false,
    'Let operators use the account of an ordinary user for 30 minutes, with a reason. The user gets a mail.',
  ),
}
