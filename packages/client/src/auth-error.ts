/** What a refusal says; all of it is optional but the status. */
export type Refusal = {
  status: number
  fields?: Record<string, string[]>
  nonField?: string[]
  detail?: string | undefined
  code?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/** The one class of errors: a refusal of the service, or why there is no answer of it. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** What is wrong with each field: `{ email: ['Enter a valid email address.'] }`. */
  readonly fields: Record<string, string[]>
  /** What is wrong, but not with one field. */
  readonly nonField: string[]
  readonly detail: string | undefined
  /**
   * The code of the service (`token_not_valid`, `reauthentication_required`), or ours: `network` (no
   * answer), `timeout`, `not_json` (an answer, but not of the service), or the name of the browser's
   * error in a passkey ceremony (`NotAllowedError`, `InvalidStateError`).
   */
  readonly code: string | undefined
  /** After how many seconds to try again. */
  readonly retryAfter: number | undefined

  constructor({ status, fields = {}, nonField = [], detail, code, retryAfter, cause }: Refusal) {
    const [text] = [
      detail,
      ...nonField,
      ...Object.values(fields).flat(),
      code,
      `HTTP ${status}`,
    ].filter(Boolean)
    super(text, { cause })
    this.status = status
    this.fields = fields
    this.nonField = nonField
    this.detail = detail
    this.code = code
    this.retryAfter = retryAfter
  }
}
