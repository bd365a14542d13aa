import { facts } from './facts.ts'
import { say } from './words.ts'

/** Whether new users choose a username. Otherwise the service makes one from their address. */
export const asksUsername: boolean = facts.signupFields.some(
  (name) => name.replace('*', '') === 'username',
)

/** What users log in with. If both are allowed, the service takes an address as `username`, too. */
export function identifierField(): { name: 'username' | 'email'; label: string } {
  const [first = 'username', second] = facts.loginMethods
  if (second) return { name: 'username', label: say('field.usernameOrEmail') }
  return { name: first, label: say(`field.${first}`) }
}
