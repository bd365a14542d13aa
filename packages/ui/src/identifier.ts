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

/** A field of the user, which the API may show under another name. Empty if it does not show it. */
export function shownValue(user: object | null | undefined, source: string): string {
  const shown = facts.profile.find((one) => one.source === source)
  const values: Readonly<Record<string, unknown>> = { ...user }
  return String((shown && values[shown.name]) ?? '')
}

const UNIQUE = ['pk', 'id', 'username', 'email']

/** What tells a user from others. The settings choose which fields there are, and several users may lack an address. */
export function uniqueValues(user: object): string {
  const values = UNIQUE.map((source) => shownValue(user, source))
  return JSON.stringify(values.some(Boolean) ? values : user)
}
