const ALL = Symbol('all values')

type Values = readonly (readonly [name: string, value: unknown])[]

/** If a name occurs more than once, the last value wins. A list takes all values. */
export function formBody(values: Values): object {
  return Object.defineProperty(Object.fromEntries(values), ALL, { value: values })
}

/**
 * The items of a list in a form: `tags=a&tags=b`, or `tags[0]=a&tags[1]=b`. One blank item is an
 * empty list, since a form cannot send that otherwise. Returns undefined if the body is not a form
 * or has no item.
 */
export function formItems(body: object, name: string): unknown[] | undefined {
  if (!isForm(body)) return undefined
  const repeated = body[ALL].filter(([key]) => key === name)
  const items = repeated.length > 0 ? repeated : numbered(body[ALL], name)
  if (items.length === 0) return undefined
  return items.length === 1 && items[0]?.[1] === '' ? [] : items.map(([, value]) => value)
}

const isForm = (body: object): body is { [ALL]: Values } => ALL in body

/** Sorted by number, whatever the order in the form. */
function numbered(values: Values, name: string): Values {
  const placed = values.flatMap((value) => {
    const [key] = value
    const place = key.startsWith(`${name}[`) && /^\[(\d{1,6})\]$/.exec(key.slice(name.length))?.[1]
    return place ? [{ place: Number(place), value }] : []
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value)
}

const SOURCE = Symbol('source')

/** The JSON text of an object and, once one was asked for, the numbers among its fields. */
type Source = { readonly text: string; numbers?: ReadonlyMap<string, string> }

/** Keeps the JSON text of an object, since `JSON.parse` loses the last digits of a long number. */
export const withSource = <T extends object>(fields: T, text: string): T =>
  Object.assign(fields, { [SOURCE]: { text } satisfies Source })

/** A number among the fields of a body, as it was sent. */
export function textOfNumber(body: object, name: string, value: number): string {
  if (!hasSource(body)) return String(value)
  const source = body[SOURCE]
  source.numbers ??= numbersIn(source.text)
  return source.numbers.get(name) ?? String(value)
}

const hasSource = (body: object): body is { [SOURCE]: Source } => SOURCE in body

/** What JSON is made of, apart from blanks, commas, colons and words. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]]|-?\d[\d.eE+-]*/g

/** If a name occurs twice, the last value wins. The text is valid JSON, and is read once. */
function numbersIn(text: string): Map<string, string> {
  const numbers = new Map<string, string>()
  let depth = 0
  /** The last text at depth 1. Before a number, that is the name of its field. */
  let name = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth !== 1) continue
    else if (token.startsWith('"')) name = token
    else numbers.set(JSON.parse(name), token)
  }
  return numbers
}
