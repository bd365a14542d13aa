import { PASSWORD_MIN } from '../../server/src/kernel/lengths.ts'

/**
 * From 0 (too short) to 4. It is a rough guide in a few bytes: only the service knows which passwords
 * are too common, and refuses them.
 */
export function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < PASSWORD_MIN) return 0
  const bits = countedLength(password) * Math.log2(alphabetOf(password))
  if (bits < 40) return 1
  if (bits < 56) return 2
  return bits < 72 ? 3 : 4
}

/** Repetitions and runs such as `aaa` and `123` add nothing. */
function countedLength(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  const isNews = (code: number, at: number) => {
    const step = code - (codes[at - 1] ?? Number.NaN)
    return Math.abs(step) > 1 || step !== (codes[at - 1] ?? 0) - (codes[at - 2] ?? Number.NaN)
  }
  return codes.filter((code, at) => at < 2 || isNews(code, at)).length
}

function alphabetOf(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 33],
  ]
  return kinds.reduce((size, [kind, more]) => size + (kind.test(password) ? more : 0), 0)
}
