import type { Identity } from '../../src/core/identity.ts'
import type { User } from '../../src/storage/schema.ts'

/** Of a request that was authenticated when the row was read, by a token of another service. */
export const identityOf = (user: User): Identity => ({
  user,
  via: 'token',
  loginId: null,
  authenticatedAt: 0,
  expiresAt: null,
})
