import { problem } from '../kernel/problems.ts'
import { decodeText } from './body-limits.ts'
import { formBody } from './body-values.ts'

/** Stands for an uploaded file. No text field accepts it. */
const A_FILE = Object.freeze({})

/** As in Django. */
const FILES_MAX = 100

/** As in Django. Searching for a very long text can take long. */
const BOUNDARY_MAX = 200

/**
 * Reads a multipart form, whatever its spelling: clients differ in quotes, blanks and letter case.
 * The body is read as Latin-1, which has one character per byte, since a file need not be text.
 */
export function parseMultipart(body: Buffer, contentType: string): object {
  const boundary = parametersOf(contentType).get('boundary') ?? ''
  if (boundary === '' || boundary.length > BOUNDARY_MAX) throw notAForm()
  const values = partsOf(body.toString('latin1'), boundary).map(readPart)
  const files = values.filter(([, value]) => value === A_FILE)
  if (files.length > FILES_MAX) throw malformed('the body has too many files')
  return formBody(values)
}

/** Each part starts with the rest of its delimiter's line. Text around the parts is ignored. */
function partsOf(body: string, boundary: string): string[] {
  // The first delimiter may have no line before it.
  const [, ...pieces] = `\r\n${body}`.split(`\r\n--${boundary}`)
  const end = pieces.findIndex((piece) => piece.startsWith('--'))
  if (end === -1) throw notAForm()
  return pieces.slice(0, end)
}

function readPart(part: string): [name: string, value: unknown] {
  const start = part.indexOf('\r\n')
  const end = part.indexOf('\r\n\r\n', start)
  // Only blanks may follow the boundary on its line.
  if (end === -1 || part.slice(0, start).trim() !== '') throw notAForm()
  const headers = headersOf(textOf(part.slice(start, end), 'latin1'))
  const disposition = parametersOf(headers.get('content-disposition') ?? '')
  const name = disposition.get('name')
  if (name === undefined) throw notAForm()
  const isFile = disposition.has('filename') || disposition.has('filename*')
  return [unescaped(name), isFile ? A_FILE : contentOf(part.slice(end + 4), headers)]
}

/** Their names are in lower case. */
const headersOf = (lines: string): Map<string, string> =>
  new Map(lines.split('\r\n').map((line) => pairOf(line, ':')))

/** The parameters of a header such as `form-data; name="a"`. Their names are in lower case. */
const parametersOf = (header: string): Map<string, string> =>
  new Map(
    splitOutsideQuotes(header).map((parameter) => {
      const [name, value] = pairOf(parameter, '=')
      return [name, unquoted(value)]
    }),
  )

function pairOf(text: string, separator: string): [name: string, value: string] {
  const at = text.indexOf(separator)
  if (at === -1) return [text.trim().toLowerCase(), '']
  return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()]
}

function splitOutsideQuotes(header: string): string[] {
  const found: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const character = header[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at++
    else if (character === ';' && !isQuoted) {
      found.push(header.slice(start, at))
      start = at + 1
    }
  }
  return [...found, header.slice(start)]
}

const unquoted = (value: string): string =>
  /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value

/** Browsers escape these three characters, and no others. */
const unescaped = (name: string): string => name.replace(/%(?:22|0A|0D)/gi, decodeURIComponent)

function contentOf(content: string, headers: Map<string, string>): string {
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64'
  return textOf(content, isBase64 ? 'base64' : 'latin1')
}

const textOf = (bytes: string, encoding: 'latin1' | 'base64'): string =>
  decodeText(Buffer.from(bytes, encoding), KIND)

const KIND = 'Multipart form'

const malformed = (reason: string) => problem('malformed_body', { kind: KIND, reason })

const notAForm = () => malformed('the body is not a valid multipart form')
