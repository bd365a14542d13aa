import type { User } from '../storage/schema.ts'

/** Who is asking, and by which credential. */
export type Identity = {
  user: User
  via: 'token' | 'session' | 'jwt'
  /** The login that the credential belongs to; an API token belongs to none. */
  loginId: number | null
}
