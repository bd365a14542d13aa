import { isoTime } from '../clock.ts'
import { HOST_MAX } from '../lengths.ts'
import { fault, type ParamsOf, type ProblemCode } from '../problems.ts'
import { isLonger, nameOfType, type Read, readText } from '../texts.ts'
import type { FieldValue, UserField, UserFieldType } from './user-field.ts'

type ValueRead = Read<FieldValue>

type Scalar = Exclude<UserFieldType, 'string' | 'list'>

/** A longer text cannot be a number, date or flag. It is refused unread, so it costs nothing. */
const SCALAR_MAX = 64
/** The longest text in a list. */
export const ITEM_MAX = 255

const SCALARS: Readonly<Record<Scalar, (text: string) => FieldValue | undefined>> = {
  integer: (text) => {
    const number = readNumber(text)
    return Number.isSafeInteger(number) ? number : undefined
  },
  number: readNumber,
  boolean: readFlag,
  date: readDate,
  datetime: readDatetime,
  url: readUrl,
}

/**
 * Reads the value of a field from a user, an operator or a setting, and returns the value or all
 * faults. Null means that there is no value. So does an empty text, unless the field is a text itself:
 * a string or a URL.
 */
export function readValue(field: UserField, input: unknown): ValueRead {
  if (input === null) return field.required ? refused('null') : { value: null }
  if (field.type === 'list') return readList(field, input)
  const { max_length: max, required } = field
  const read =
    field.type === 'string'
      ? readText(input, { max, mayBeBlank: !required })
      : readScalar(field, field.type, input)
  if ('faults' in read) return isAnotherChoice(field, input) ? notAChoice(input) : read
  return isOffered(field, read.value) ? read : notAChoice(input)
}

function readScalar(field: UserField, type: Scalar, input: unknown): ValueRead {
  const { max_length, required, min, max } = field
  const isPlain = ['string', 'number', 'boolean'].includes(typeof input)
  const text = isPlain ? String(input) : ''
  if (type === 'url' && isLonger(text, max_length)) return refused('too_long', { max: max_length })
  if (input === '' && !required) return { value: type === 'url' ? '' : null }
  if (!isPlain || (type !== 'url' && text.length > SCALAR_MAX)) return refused(`invalid_${type}`)
  const value = SCALARS[type](text.trim())
  if (value === undefined) return refused(`invalid_${type}`)
  if (typeof value === 'number') {
    if (min !== null && value < min) return refused('too_small', { min })
    if (max !== null && value > max) return refused('too_large', { max })
  }
  return { value }
}

function readList(field: UserField, input: unknown): ValueRead {
  if (!Array.isArray(input)) return refused('not_a_list', { got: nameOfType(input) })
  const { max_length: max } = field
  if (input.length > max) return refused('too_many_elements', { max })
  const item = { ...field, type: 'string', max_length: ITEM_MAX, required: true } as const
  const read = input.map((one) => readValue(item, typeof one === 'number' ? String(one) : one))
  const faults = read.flatMap((one) => ('faults' in one ? one.faults : []))
  // Each fault is reported once, even if many items have it.
  if (faults.length > 0) return { faults: [...new Map(faults.map((f) => [f.text, f])).values()] }
  return { value: read.flatMap((one) => ('value' in one ? [String(one.value)] : [])) }
}

const isOffered = ({ choices }: UserField, value: FieldValue): boolean =>
  choices === null || value === null || value === '' || choices.includes(value)

/** If a field has choices, a text of the wrong type is reported as not being one of them. */
const isAnotherChoice = ({ choices }: UserField, input: unknown): boolean =>
  choices !== null && typeof input === 'string' && input !== '' && input.length <= SCALAR_MAX

const notAChoice = (input: unknown): ValueRead => refused('not_a_choice', { input: String(input) })

const refused = <C extends ProblemCode>(code: C, ...values: ParamsOf<C>): ValueRead => ({
  faults: [fault(code, ...values)],
})

const TRUE = ['t', 'y', 'yes', 'true', 'on', '1']
const FALSE = ['f', 'n', 'no', 'false', 'off', '0']

export function readFlag(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (TRUE.includes(word)) return true
  return FALSE.includes(word) ? false : undefined
}

/** Decimal notation only. `Number()` alone would also take blanks and `0x10`. */
function readNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const number = Number(text)
  // JSON writes minus zero as zero, so it is stored as zero.
  return Number.isFinite(number) ? number + 0 : undefined
}

/** `2030-12-31`, if there is such a day. */
function readDate(text: string): string | undefined {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && isoTime(time).startsWith(text) ? text : undefined
}

const DATETIME =
  /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i

/** Returns the time in UTC, with milliseconds. A time without a zone is in UTC. */
function readDatetime(text: string): string | undefined {
  const [, date = '', minute, second = '00', fraction = '', zone = 'Z'] = DATETIME.exec(text) ?? []
  if (readDate(date) === undefined) return undefined
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = `${date}T${minute}:${second}.${milliseconds}`
  const time = isoTime(Date.parse(`${local}${zone.toUpperCase()}`))
  // In UTC it may be before the year 1 or after the year 9999.
  return readDate(time.slice(0, 10)) === undefined ? undefined : time
}

/** Its group is the host with its port. A name or password before them may be long. */
const WEB_ADDRESS = /^(?:https?|ftps?):\/\/(?:[^/?#\\]*@)?([^/?#\\@]+)/i
const PORT = /:\d*$/

/** A web or FTP address. The rules are those of Django. */
function readUrl(text: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(text)) return undefined
  const [, authority = ''] = WEB_ADDRESS.exec(text) ?? []
  if (authority === '' || authority.replace(PORT, '').length > HOST_MAX) return undefined
  if (!text.isWellFormed() || !URL.canParse(text)) return undefined
  const { hostname } = new URL(text)
  return /[.[]/.test(hostname) || hostname === 'localhost' ? text : undefined
}
