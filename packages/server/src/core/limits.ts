import type { Identity } from './identity.ts'

/** Refuses whoever asks too often, by user or by client address. */
export type Throttle = (identity: Identity | null, address: string) => Promise<void>

/** What anybody may ask for, so that it is limited per client address. */
export type ClientLimit = 'signup' | 'reset_mail' | 'verify_mail' | 'passkey_begin' | 'social'

/** Counts one for the address, or refuses. */
export type ClientLimits = (name: ClientLimit, address: string) => Promise<void>
