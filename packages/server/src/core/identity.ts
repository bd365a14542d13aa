import type { User } from '../storage/schema.ts'

/** Who sends the request, and with which credential. */
export type Identity = {
  user: User
  via: 'token' | 'session' | 'jwt'
  /** The login of the credential. An API token belongs to none. */
  loginId: number | null
}
