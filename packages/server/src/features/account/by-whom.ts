import type { Operator } from '../audit/audit.ts'

/** Who had an account deleted or exported, for the audit: its user, or an operator. */
export type ByWhom = Operator | { readonly by: 'user' }

export const BY_USER: ByWhom = { by: 'user' }
