import { facts } from './facts.ts'
import { say } from './words.ts'

/** What users log in with. If both are allowed, the service takes an address as `username`, too. */
export function identifierField(): { name: 'username' | 'email'; label: string } {
  const [first = 'username', second] = facts.loginMethods
  if (second) return { name: 'username', label: say('field.usernameOrEmail') }
  return { name: first, label: say(`field.${first}`) }
}
