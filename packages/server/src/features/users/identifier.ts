import { nameKey } from '../../kernel/names.ts'
import type { User } from '../../storage/schema.ts'
import type { Users } from './users.ts'

/** The name with which an anonymous visitor claims to be a user. All its spellings have one key. */
export type Identifier = { key: string; find(): Promise<User | undefined> }

/** Chooses username or address, by `ACCOUNT.LOGIN_METHODS`; null if neither was given. */
export function identifierOf(
  users: Users,
  methods: readonly ('username' | 'email')[],
  { username, email }: { username: string; email: string },
): Identifier | null {
  const byEmail = methods.includes('email')
  if (byEmail && email) return { key: nameKey(email), find: () => users.findByEmail(email) }
  if (!methods.includes('username') || !username) return null
  const find = byEmail ? users.findByName : users.findByUsername
  return { key: nameKey(username), find: () => find(username) }
}
