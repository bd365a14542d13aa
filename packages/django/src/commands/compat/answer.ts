import { parseSetCookie } from 'cookie'
import { parseJson } from '../../../../server/src/kernel/json-object.ts'

/** The parts of an answer that clients depend on. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** By name, with the attributes that browsers use. */
  readonly cookies: ReadonlyMap<string, { readonly value: string; readonly form: string }>
  /** Parsed JSON, or else the text. Null if there is no body. */
  readonly body: unknown
}

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024
const COMPARED = ['content-type', 'www-authenticate', 'allow', 'location', 'retry-after']

/** Sends one request. It is bounded in time and size, and follows no redirect. */
export async function ask(base: URL, { method, path, headers, body }: Sent): Promise<Answer> {
  const reply = await fetch(new URL(path, base), {
    method,
    headers: { accept: 'application/json', ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return {
    status: reply.status,
    headers: headersIn(reply),
    cookies: cookiesIn(reply.headers),
    body: bodyIn(await textIn(reply)),
  }
}

function headersIn({ headers, status }: Response): Record<string, string> {
  // Django sends Allow with every answer. Clients read it only after a 405.
  const compared = COMPARED.filter((name) => name !== 'allow' || status === 405)
  return Object.fromEntries(
    compared.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, formOf(name, value)]]
    }),
  )
}

/** Without what differs every time, such as the seconds to wait. */
function formOf(name: string, value: string): string {
  // Clients compare the whole content type of JSON. For pages only the media type matters.
  if (name === 'content-type') {
    return /^application\/json\b/.test(value) ? value : (value.split(';')[0] ?? '').trim()
  }
  if (name === 'retry-after') return '<seconds>'
  if (name !== 'allow') return value
  const methods = value.split(',').map((method) => method.trim())
  // Servers add these two on their own.
  const own = methods.filter((method) => method !== 'OPTIONS' && method !== 'HEAD')
  return own.toSorted().join(', ')
}

function cookiesIn(headers: Headers): Answer['cookies'] {
  return new Map(
    headers.getSetCookie().map((line) => {
      const { name, value = '', httpOnly, secure, sameSite, path, domain } = parseSetCookie(line)
      const words = [
        value === '' ? 'cleared' : 'set',
        httpOnly ? 'HttpOnly' : '',
        secure ? 'Secure' : '',
        sameSite ? `SameSite=${String(sameSite).toLowerCase()}` : '',
        `Path=${path ?? ''}`,
        domain ? `Domain=${domain}` : '',
      ]
      return [name, { value, form: words.filter((word) => word !== '').join('; ') }]
    }),
  )
}

async function textIn({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error('the answer is larger than 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function bodyIn(text: string): unknown {
  if (text === '') return null
  const json = parseJson(text)
  return json === undefined ? text : json
}
