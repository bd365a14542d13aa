import { nameKey } from '../../kernel/names.ts'
import type { User } from '../../storage/schema.ts'
import type { Users } from './users.ts'

/** The name that somebody who is not known yet goes by; all its spellings have one key. */
export type Identifier = { key: string; find(): Promise<User | undefined> }

/** Which of the two names counts, by `ACCOUNT_LOGIN_METHODS`; null when there is none. */
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
