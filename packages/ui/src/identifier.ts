import { facts } from './facts.ts'
import { say } from './words.ts'

/** What people are known by here. An address typed into `username` works, too, where both do. */
export function identifierField(): { name: 'username' | 'email'; label: string } {
  const [first = 'username', second] = facts.loginMethods
  if (second) return { name: 'username', label: say('field.usernameOrEmail') }
  return { name: first, label: say(`field.${first}`) }
}
