import { isoTime } from '../clock.ts'

const TRUE = ['t', 'y', 'yes', 'true', 'on', '1']
const FALSE = ['f', 'n', 'no', 'false', 'off', '0']

export function readFlag(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (TRUE.includes(word)) return true
  return FALSE.includes(word) ? false : undefined
}

/** Decimal notation only. `Number()` alone would also take blanks and `0x10`. */
export function readNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const number = Number(text)
  // JSON writes minus zero as zero, so it is stored as zero.
  return Number.isFinite(number) ? number + 0 : undefined
}

/** `2030-12-31`, if there is such a day. */
export function readDate(text: string): string | undefined {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && isoTime(time).startsWith(text) ? text : undefined
}

const DATETIME =
  /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i

/** Returns the time in UTC, with milliseconds. A time without a zone counts as UTC. */
export function readDatetime(text: string): string | undefined {
  const [, date = '', minute, second = '00', fraction = '', zone = 'Z'] = DATETIME.exec(text) ?? []
  if (readDate(date) === undefined) return undefined
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  return isoTime(Date.parse(`${date}T${minute}:${second}.${milliseconds}${zone.toUpperCase()}`))
}

/** A web or FTP address. The rules are those of Django. */
export function readUrl(text: string): string | undefined {
  if (!/^(https?|ftps?):\/\/[^\s/?#]+\S*$/i.test(text) || /\p{Cc}/u.test(text)) return undefined
  if (!text.isWellFormed() || !URL.canParse(text)) return undefined
  const { hostname } = new URL(text)
  return /[.[]/.test(hostname) || hostname === 'localhost' ? text : undefined
}
