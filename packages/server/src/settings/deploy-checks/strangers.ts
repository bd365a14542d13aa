import { isLoopback } from '../../kernel/hosts.ts'
import type { Check } from '../finding.ts'
import { adminAddress } from '../kinds/admin-listen.ts'
import type { Settings } from '../settings.ts'
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
    about: 'ADMIN_LISTEN',
    applies: (settings) => hasAdmin(settings) && adminAddress(settings.ADMIN_LISTEN) === null,
    says: 'everybody who reaches the service also reaches the login of its operators',
    mend: 'give the admin API an address of its own, such as 127.0.0.1:8001, behind a VPN or an SSH tunnel',
  },
  {
    about: 'ADMIN_LISTEN',
    applies: (settings) =>
      hasAdmin(settings) &&
      listensElsewhere(settings) &&
      !settings.ADMIN_PUBLIC_URL.startsWith('https:'),
    says: 'other machines reach the admin API over plain http, where others can read its cookie',
    mend: 'listen on 127.0.0.1, or put a proxy with TLS in front of it and set ADMIN_PUBLIC_URL to its https:// address',
  },
  {
    about: 'ADMIN_PUBLIC_URL',
    cause: 'PUBLIC_URL',
    applies: (settings) =>
      hasAdmin(settings) && !listensElsewhere(settings) && isInTheClear(settings.ADMIN_PUBLIC_URL),
    says: 'operators reach the admin pages over plain http, where others can read their cookie',
    mend: 'put a proxy with TLS in front of them, and set it to its https:// address',
  },
  {
    about: 'ACCOUNT.EMAIL_VERIFICATION',
    applies: ({ ACCOUNT }) => ACCOUNT.EMAIL_VERIFICATION === 'none',
    says: "anybody can register with somebody else's address",
    mend: 'set it to mandatory, or at least to optional',
  },
  {
    about: 'ACCOUNT.ALLOWED_EMAIL_DOMAINS',
    applies: ({ ACCOUNT }) =>
      ACCOUNT.ALLOWED_EMAIL_DOMAINS.length > 0 &&
      ACCOUNT.EMAIL_VERIFICATION !== 'mandatory' &&
      ACCOUNT.SIGNUP === 'open',
    says: 'anybody can register with an address of these domains that is not theirs',
    mend: 'set ACCOUNT.EMAIL_VERIFICATION to mandatory',
  },
  {
    about: 'MFA_ALLOW_UNVERIFIED_EMAIL',
    applies: ({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }) =>
      ACCOUNT.EMAIL_VERIFICATION !== 'none' && MFA_ALLOW_UNVERIFIED_EMAIL,
    says: "somebody who registers with another person's address can add a passkey or a second factor, and later log in or lock that person out",
    mend: 'set it to false, so that users verify their address first',
  },
  {
    about: 'ACCOUNT.RATE_LIMITS',
    applies: ({ ACCOUNT }) =>
      Object.values(ACCOUNT.RATE_LIMITS).some((limits) => limits.length === 0),
    says: 'at least one limit is switched off, so passwords and codes can be guessed, or mails sent, without end',
    mend: 'keep the defaults, or set a limit for every key',
  },
  {
    about: 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    applies: ({ REST_FRAMEWORK }) => REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service === null,
    says: 'one client can send any number of requests',
    mend: 'set a rate for auth_service, such as 60/m',
  },
  {
    about: 'REST_FRAMEWORK.NUM_PROXIES',
    applies: (settings) => settings.REST_FRAMEWORK.NUM_PROXIES === 0 && isBehindProxy(settings),
    says: 'behind a proxy all clients seem to have the same address, so they share its limits',
    mend: 'set it to the number of proxies in front of the service, usually 1',
  },
]
