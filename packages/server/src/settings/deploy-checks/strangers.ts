import { isLoopback } from '../../kernel/hosts.ts'
import { adminAddress } from '../kinds/admin-listen.ts'
import type { Settings } from '../settings.ts'
import type { Check } from './check.ts'
import { isInTheClear } from './in-the-clear.ts'

/**
 * The service itself speaks plain http, so an https address means that a proxy is in front of it.
 */
const isBehindProxy = ({ HOST, PUBLIC_URL }: Settings): boolean =>
  isLoopback(HOST) || PUBLIC_URL.startsWith('https:')

const hasAdmin = ({ MODULES }: Settings): boolean => MODULES.includes('admin')

const listensElsewhere = ({ ADMIN_LISTEN }: Settings): boolean => {
  const address = adminAddress(ADMIN_LISTEN)
  return address !== null && !isLoopback(address.host)
}

/** Settings that widen what somebody without an account can reach or do. */
export const strangers: readonly Check[] = [
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
  {
    setting: 'ADMIN_PUBLIC_URL',
    cause: 'PUBLIC_URL',
    unsafe: (settings) =>
      hasAdmin(settings) && !listensElsewhere(settings) && isInTheClear(settings.ADMIN_PUBLIC_URL),
    finding: 'operators reach the admin pages over plain http, where others can read their cookie',
    mend: 'put a proxy with TLS in front of them, and set it to its https:// address',
  },
  {
    setting: 'ACCOUNT.EMAIL_VERIFICATION',
    unsafe: ({ ACCOUNT }) => ACCOUNT.EMAIL_VERIFICATION === 'none',
    finding: "anybody can register with somebody else's address",
    mend: 'set it to mandatory, or at least to optional',
  },
  {
    setting: 'ACCOUNT.ALLOWED_EMAIL_DOMAINS',
    unsafe: ({ ACCOUNT }) =>
      ACCOUNT.ALLOWED_EMAIL_DOMAINS.length > 0 &&
      ACCOUNT.EMAIL_VERIFICATION !== 'mandatory' &&
      ACCOUNT.SIGNUP === 'open',
    finding: 'anybody can register with an address of these domains that is not theirs',
    mend: 'set ACCOUNT.EMAIL_VERIFICATION to mandatory',
  },
  {
    setting: 'MFA_ALLOW_UNVERIFIED_EMAIL',
    unsafe: ({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }) =>
      ACCOUNT.EMAIL_VERIFICATION !== 'none' && MFA_ALLOW_UNVERIFIED_EMAIL,
    finding:
      "somebody who registers with another person's address can add a passkey or a second factor, and later log in or lock that person out",
    mend: 'set it to false, so that users verify their address first',
  },
  {
    setting: 'ACCOUNT.RATE_LIMITS',
    unsafe: ({ ACCOUNT }) =>
      Object.values(ACCOUNT.RATE_LIMITS).some((limits) => limits.length === 0),
    finding:
      'at least one limit is switched off, so passwords and codes can be guessed, or mails sent, without end',
    mend: 'keep the defaults, or set a limit for every key',
  },
  {
    setting: 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    unsafe: ({ REST_FRAMEWORK }) => REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service === null,
    finding: 'one client can send any number of requests',
    mend: 'set a rate for auth_service, such as 60/m',
  },
  {
    setting: 'REST_FRAMEWORK.NUM_PROXIES',
    unsafe: (settings) => settings.REST_FRAMEWORK.NUM_PROXIES === 0 && isBehindProxy(settings),
    finding: 'behind a proxy all clients seem to have the same address, so they share its limits',
    mend: 'set it to the number of proxies in front of the service, usually 1',
  },
]
