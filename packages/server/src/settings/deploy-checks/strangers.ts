import { isLoopback } from '../../kernel/loopback.ts'
import type { Settings } from '../settings.ts'
import type { Check } from './check.ts'

/**
 * The service itself speaks plain http, so an https address means that a proxy is in front of it.
 */
const isBehindProxy = ({ HOST, PUBLIC_URL }: Settings): boolean =>
  isLoopback(HOST) || PUBLIC_URL.startsWith('https:')

/** What somebody without an account can do. */
export const strangers: readonly Check[] = [
  {
    setting: 'ACCOUNT.EMAIL_VERIFICATION',
    unsafe: ({ ACCOUNT }) => ACCOUNT.EMAIL_VERIFICATION === 'none',
    finding: 'anybody can register with the address of somebody else',
    mend: 'set it to mandatory, or at least to optional',
  },
  {
    setting: 'MFA_ALLOW_UNVERIFIED_EMAIL',
    unsafe: ({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }) =>
      ACCOUNT.EMAIL_VERIFICATION !== 'none' && MFA_ALLOW_UNVERIFIED_EMAIL,
    finding:
      "whoever registers with the address of somebody else can add a passkey or a second factor, and its owner is left with a stranger's way in, or locked out",
    mend: 'set it to false: users verify their address first',
  },
  {
    setting: 'ACCOUNT.RATE_LIMITS',
    unsafe: ({ ACCOUNT }) =>
      Object.values(ACCOUNT.RATE_LIMITS).some((limits) => limits.length === 0),
    finding:
      'a limit is switched off, so that passwords or codes can be tried, or mails sent, without end',
    mend: 'leave the defaults, or give a limit for every key',
  },
  {
    setting: 'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    unsafe: ({ REST_FRAMEWORK }) => REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service === null,
    finding: 'a client may send any number of requests',
    mend: 'give auth_service a rate, such as 60/m',
  },
  {
    setting: 'REST_FRAMEWORK.NUM_PROXIES',
    unsafe: (settings) => settings.REST_FRAMEWORK.NUM_PROXIES === 0 && isBehindProxy(settings),
    finding: 'behind a proxy all clients look like one address and share its limits',
    mend: 'give the number of proxies in front, usually 1',
  },
]
