import type { Host } from '../../core/host/host.ts'
import { USERNAME_MAX } from '../../kernel/lengths.ts'
import { isUsername, normalizeUsername } from '../../kernel/names.ts'
import { type Fault, fault } from '../../kernel/problems.ts'
import { randomInt } from '../../kernel/random.ts'
import { EXAMPLE_WORDS, faultsInWords } from '../../kernel/refuse.ts'
import { type PersonalDetails, ruledUser } from './user-values.ts'

const FALLBACK = 'user'
const SUFFIX_MAX = 1_000_000

/** Makes a username of the first wish that contains one. */
export function usernameFrom(wishes: readonly string[]): string {
  const names = wishes.map((wish) =>
    normalizeUsername(wish.slice(0, USERNAME_MAX).split('@')[0] ?? '').replace(
      /[^\p{L}\p{N}_.+-]/gu,
      '',
    ),
  )
  const name = names.find((candidate) => candidate !== '' && isUsername(candidate)) ?? FALLBACK
  return stemOf(name)
}

/** The beginning of a name, with room for a number after it. */
export const stemOf = (name: string): string =>
  [...name].slice(0, USERNAME_MAX - String(SUFFIX_MAX).length).join('')

/** The name with a random number that nobody can guess in advance. */
export const withSuffix = (name: string): string => `${name}${randomInt(SUFFIX_MAX)}`

/** The table of similar letters is long, and nothing needs it to start. */
export const loadSkeletonOf = async () => (await import('../../kernel/skeleton.ts')).skeletonOf

export type UsernameRules = ReturnType<typeof createUsernameRules>

/** The faults of a well-formed username, for OpenAPI. */
export const possibleUsernameFaults = (host: Host): readonly Fault[] => [
  fault('username_taken'),
  ...(host.usernameFaults ? faultsInWords([EXAMPLE_WORDS]) : []),
]

/** The rules of the host for usernames. Ours are in the field itself. */
export function createUsernameRules({ usernameFaults }: Host) {
  return {
    faultsOf,

    /** The wishes whose usernames the host accepts. */
    async goodWishes(wishes: readonly string[], details: PersonalDetails): Promise<string[]> {
      const good: string[] = []
      for (const wish of wishes) {
        const faults = await faultsOf(usernameFrom([wish]), details)
        if (faults.length === 0) good.push(wish)
      }
      return good
    },
  }

  async function faultsOf(username: string, details: PersonalDetails): Promise<Fault[]> {
    if (!usernameFaults) return []
    return usernameFaults(normalizeUsername(username), ruledUser(details))
  }
}
