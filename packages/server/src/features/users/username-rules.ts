import type { Host } from '../../core/host/host.ts'
import { normalizeUsername } from '../../kernel/names.ts'
import { type Fault, fault } from '../../kernel/problems.ts'
import { EXAMPLE_WORDS, faultsInWords } from '../../kernel/refuse.ts'
import { usernameFrom } from './free-username.ts'
import { type PersonalDetails, ruledUser } from './ruled-user.ts'

export type UsernameRules = ReturnType<typeof createUsernameRules>

/** What can be wrong with a name that is none of its form, for OpenAPI. */
export const possibleUsernameFaults = (host: Host): readonly Fault[] => [
  fault('username_taken'),
  ...(host.usernameFaults ? faultsInWords([EXAMPLE_WORDS]) : []),
]

/** The rules of the host for usernames. Ours are in the field itself. */
export function createUsernameRules({ usernameFaults }: Host) {
  return {
    /** What is wrong with a name that a user has chosen. */
    async faultsOf(username: string, details: PersonalDetails): Promise<Fault[]> {
      if (!usernameFaults) return []
      return usernameFaults(normalizeUsername(username), ruledUser(details))
    },

    /** Of wishes for a name that we make up, those that lead to a good one. */
    async goodWishes(wishes: readonly string[], details: PersonalDetails): Promise<string[]> {
      const good: string[] = []
      for (const wish of wishes) {
        const faults = await usernameFaults?.(usernameFrom([wish]), ruledUser(details))
        if (!faults || faults.length === 0) good.push(wish)
      }
      return good
    },
  }
}
