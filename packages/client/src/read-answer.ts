import { AuthError, type Refusal } from './auth-error.ts'
import { overNetwork } from './in-time.ts'

/** The names in error bodies, if the deployment has changed them. */
export type ErrorNames = {
  /** `REST_FRAMEWORK.NON_FIELD_ERRORS_KEY` of the service. */
  nonFieldErrorsKey?: string
  /** `REST_FRAMEWORK.ERRORS_UNDER` of the service. */
  errorsUnder?: string
}

/** The body of an answer. An error is thrown. */
export async function readAnswer(response: Response, names: ErrorNames): Promise<unknown> {
  const { status, ok } = response
  const text = await overNetwork(response.text())
  if (ok && text === '') return undefined
  const head = { status, retryAfter: Number(response.headers.get('Retry-After')) || undefined }
  const body = parse(text, head)
  if (ok) return body
  throw new AuthError({ ...head, ...readRefusal(body, names) })
}

function parse(text: string, head: Pick<Refusal, 'status' | 'retryAfter'>): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AuthError({ ...head, code: 'not_json', cause })
  }
}

/** A list belongs to a field, a text to the whole request. There are both with the name `code`. */
function readRefusal(
  body: unknown,
  { nonFieldErrorsKey = 'non_field_errors', errorsUnder = '' }: ErrorNames,
) {
  const said = Object((body as Record<string, unknown>)?.[errorsUnder] ?? body)
  const { [nonFieldErrorsKey]: nonField = [], ...fields } = listsIn(said)
  const { [nonFieldErrorsKey]: general = [], detail = [], ...ofFields } = listsIn(said.codes)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    fields,
    nonField,
    detail: text(said.detail),
    code: text(said.code),
    codes: { fields: ofFields, nonField: general, detail: detail[0] },
  }
}

/** What is a list of texts. Everything else is left out. */
function listsIn(value: unknown): Record<string, string[]> {
  const isList = (entry: [string, unknown]): entry is [string, string[]] =>
    Array.isArray(entry[1]) && entry[1].every((one) => typeof one === 'string')
  return Object.fromEntries(Object.entries(Object(value)).filter(isList))
}
