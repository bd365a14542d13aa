import { isUsername, normalizeUsername, USERNAME_MAX } from '../../kernel/names.ts'
import { randomInt } from '../../kernel/random.ts'

const FALLBACK = 'user'
const SUFFIX_MAX = 1_000_000

/** A username from the first candidate that gives one. */
export function usernameFrom(wishes: readonly string[]): string {
  const names = wishes.map((wish) =>
    normalizeUsername(wish.slice(0, USERNAME_MAX).split('@')[0] ?? '').replace(
      /[^\p{L}\p{N}_.+-]/gu,
      '',
    ),
  )
  const name = names.find((candidate) => candidate !== '' && isUsername(candidate)) ?? FALLBACK
  return [...name].slice(0, USERNAME_MAX - String(SUFFIX_MAX).length).join('')
}

/** The name with a random number that nobody can guess in advance. */
export const withSuffix = (name: string): string => `${name}${randomInt(SUFFIX_MAX)}`
