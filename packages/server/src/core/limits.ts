import type { Identity } from './identity.ts'

/** Refuses a user or client address that sends too many requests. */
export type Throttle<Caller = Identity> = (
  identity: Caller | null,
  address: string,
) => Promise<void>

/** What anonymous clients can trigger. Each has a limit per client address. */
export type ClientLimit =
  | 'signup'
  | 'reset_mail'
  | 'verify_mail'
  | 'code_mail'
  | 'passkey_begin'
  | 'social'

/** Counts one request of the address, or refuses it. */
export type ClientLimits = (name: ClientLimit, address: string) => Promise<void>
