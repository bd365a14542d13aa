/** Texts with this ratio of similarity are too similar. */
const TOO_SIMILAR = 0.7

const NOT_OF_A_WORD = /[^\p{L}\p{N}_]+/u

/** Whether a password is similar to a value or to one of its words, as Django measures it. */
export function isSimilar(password: string, value: string): boolean {
  const [wanted, known] = [password.toLowerCase(), value.toLowerCase()]
  return [...known.split(NOT_OF_A_WORD), known].some((part) => isLike([...wanted], [...part]))
}

function isLike(password: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0 || isTooShortToTell(password, part)) return false
  const share = (2 * countCommon(password, part)) / (password.length + part.length)
  return share >= TOO_SIMILAR
}

/** A long password may contain a short word. */
const isTooShortToTell = (password: readonly string[], part: readonly string[]): boolean =>
  password.length >= 10 * part.length && part.length < (TOO_SIMILAR / 2) * password.length

/** How many characters the two share, in any order. An upper bound, in linear time. */
function countCommon(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const character of other) left.set(character, (left.get(character) ?? 0) + 1)
  let common = 0
  for (const character of one) {
    const count = left.get(character) ?? 0
    if (count === 0) continue
    left.set(character, count - 1)
    common += 1
  }
  return common
}
