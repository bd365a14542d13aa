import { isObject } from '../../../../server/src/kernel/json-object.ts'
import type { Answer } from './answer.ts'

/** One place where two answers differ. `-` means that one of them has no such place. */
export type Difference = { readonly at: string; readonly old: string; readonly new: string }

const NOTHING = '-'

/** All differences in status, headers, cookies and body. */
export function compare(old: Answer, young: Answer): Difference[] {
  const places = (answer: Answer) =>
    new Map([
      ['status', String(answer.status)],
      ...Object.entries(answer.headers).map(([name, value]) => [`header ${name}`, value] as const),
      ...[...answer.cookies].map(([name, { form }]) => [`cookie ${name}`, form] as const),
      ...leaves(answer.body, 'body'),
    ])
  const [before, after] = [places(old), places(young)]
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all].flatMap((at) => {
    const difference = { at, old: before.get(at) ?? NOTHING, new: after.get(at) ?? NOTHING }
    return difference.old === difference.new ? [] : [difference]
  })
}

/** Every value of a body with its place: `body.user.pk`. */
function leaves(value: unknown, at: string): [string, string][] {
  if (value === null) return at === 'body' ? [] : [[at, 'null']]
  if (typeof value === 'string') return [[at, shown(value, CREDENTIAL.test(at))]]
  const entries = Array.isArray(value)
    ? value.map((item, i) => [String(i), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : null
  if (entries === null) return [[at, String(value)]]
  if (entries.length === 0) return [[at, Array.isArray(value) ? '[]' : '{}']]
  return entries.flatMap(([name, item]) => leaves(item, `${at}.${name}`))
}

/** Tokens have many forms, such as that of a login that waits for the second factor. */
const CREDENTIAL = /\.(?:key|(?:\w+_)?token)$/
const PAGE = /^\s*</
const KEY = /^[0-9a-f]{32,}$/
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/
const SHOWN = 200

/** Credentials and times differ every time, so only their form is compared, and they are not printed. */
function shown(text: string, isCredential: boolean): string {
  if (PAGE.test(text)) return '<page>'
  if (KEY.test(text)) return `<${text.length} hex digits>`
  if (JWT.test(text)) return '<JWT>'
  if (TIME.test(text)) return '<time>'
  if (isCredential && text !== '') return '<token>'
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}
