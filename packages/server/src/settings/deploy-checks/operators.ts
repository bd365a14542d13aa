import { isLoopback } from '../../kernel/loopback.ts'
import { adminAddress } from '../kinds/admin-listen.ts'
import type { Settings } from '../settings.ts'
import type { Check } from './check.ts'

const hasAdmin = ({ MODULES }: Settings): boolean => MODULES.includes('admin')

const listensElsewhere = ({ ADMIN_LISTEN }: Settings): boolean => {
  const address = adminAddress(ADMIN_LISTEN)
  return address !== null && !isLoopback(address.host)
}

/** Settings that let strangers reach the pages and the API for operators. */
export const operators: readonly Check[] = [
  {
    setting: 'ADMIN_LISTEN',
    unsafe: (settings) => hasAdmin(settings) && adminAddress(settings.ADMIN_LISTEN) === null,
    finding: 'everybody who reaches the service also reaches the login of its operators',
    mend: 'give the admin API an address of its own, such as 127.0.0.1:8001, behind a VPN or an SSH tunnel',
  },
  {
    setting: 'ADMIN_LISTEN',
    unsafe: (settings) =>
      hasAdmin(settings) &&
      listensElsewhere(settings) &&
      !settings.ADMIN_PUBLIC_URL.startsWith('https:'),
    finding: 'other machines reach the admin API over plain http, where others can read its cookie',
    mend: 'listen on 127.0.0.1, or put a proxy with TLS in front of it and set ADMIN_PUBLIC_URL to its https:// address',
  },
]
