/** No setting is longer or deeper. */
const LONGEST = 100_000
const DEEPEST = 20

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
])
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** `\n`, and by number: `\x7f`, `\u200b`, `\U0001f511`. */
const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gs
/** Of Unicode. */
const LAST_POINT = 0x10ffff
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }

const QUOTED = String.raw`(['"])((?:\\.|(?!\1)[^\\])*)\1`
const NUMBER = String.raw`-?\d+(?:\.\d+)?`
/** Calls and objects stay text. */
const WORD = String.raw`True|False|None|[A-Za-z_][\w.]*\([^()]*\)|<[^<>]*>`
const TOKEN = new RegExp(
  String.raw`\s*(?:${QUOTED}|(${NUMBER})|(${WORD})|([\[\](){},:]))\s*`,
  'gsy',
)

type Token = { mark: string } | { value: unknown }

/**
 * What `repr()` wrote, as `diffsettings` prints it: `{'USE_JWT': True, 'NAMES': ('a', 'b')}`. Sets
 * and tuples become lists. Undefined if the text is not such a literal.
 */
export function readPython(text: string): unknown {
  if (text.length > LONGEST || !/^\s*['"[({]/.test(text)) return undefined
  const found = [...text.matchAll(TOKEN)]
  const length = found.reduce((sum, [token]) => sum + token.length, 0)
  if (length < text.length) return undefined
  // The next token is always the last one.
  const tokens = found.map(tokenOf).toReversed()
  const read = readValue(tokens, 0)
  return tokens.length === 0 ? read?.value : undefined
}

function tokenOf([, , quoted, number, word, mark]: readonly (string | undefined)[]): Token {
  if (mark !== undefined) return { mark }
  if (number !== undefined) return { value: Number(number) }
  if (word !== undefined) return { value: WORDS.has(word) ? WORDS.get(word) : word }
  return { value: quoted?.replace(ESCAPE, unescaped) }
}

function unescaped(whole: string, x?: string, u?: string, U?: string, one = ''): string {
  const digits = x ?? u ?? U
  if (digits === undefined) return ESCAPES[one] ?? one
  const point = Number.parseInt(digits, 16)
  return point <= LAST_POINT ? String.fromCodePoint(point) : whole
}

function readValue(tokens: Token[], depth: number): { value: unknown } | undefined {
  const token = tokens.pop()
  if (!token || depth > DEEPEST) return undefined
  if ('value' in token) return token
  const end = CLOSING[token.mark]
  if (end === undefined) return undefined
  const items: unknown[] = []
  const entries: [string, unknown][] = []
  while (!takes(tokens, end)) {
    const item = readValue(tokens, depth + 1)
    const entry = takes(tokens, ':') ? readValue(tokens, depth + 1) : null
    if (!item || entry === undefined) return undefined
    if (entry) entries.push([String(item.value), entry.value])
    else items.push(item.value)
    if (!takes(tokens, ',') && !isNext(tokens, end)) return undefined
  }
  if (items.length === 0 && token.mark === '{') return { value: Object.fromEntries(entries) }
  return entries.length === 0 ? { value: items } : undefined
}

function isNext(tokens: readonly Token[], mark: string): boolean {
  const next = tokens.at(-1)
  return next !== undefined && 'mark' in next && next.mark === mark
}

function takes(tokens: Token[], mark: string): boolean {
  const isThere = isNext(tokens, mark)
  if (isThere) tokens.pop()
  return isThere
}
