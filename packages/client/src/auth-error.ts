/** The codes of the messages, in the same places as these. A service without codes sends none. */
export type ErrorCodes = {
  /** For each field: `{ email: ['invalid_email'] }`. */
  fields: Record<string, string[]>
  nonField: string[]
  detail: string | undefined
}

/** What is known about an error. */
export type Refusal = {
  status: number
  fields?: Record<string, string[]>
  nonField?: string[]
  detail?: string | undefined
  codes?: ErrorCodes
  code?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/** Every error of the client: the service refused the call, or it could not be asked. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** The HTTP status. It is 0 if no answer came. */
  declare readonly status: number
  /** The messages for each field: `{ email: ['Enter a valid email address.'] }`. */
  declare readonly fields: Record<string, string[]>
  /** The messages that belong to no field. */
  declare readonly nonField: string[]
  /** The message about the whole request. */
  declare readonly detail: string | undefined
  /** What programs compare, since the messages are in the language of the caller. */
  declare readonly codes: ErrorCodes
  /**
   * A code of the service, such as `token_not_valid` or `reauthentication_required`, or one of ours:
   * `network` (no answer), `timeout`, `not_json` (something else answered, such as a proxy), or
   * `storage` (the stored login could not be read or deleted). In a passkey ceremony it is the name
   * of the browser's error, such as `NotAllowedError`.
   */
  declare readonly code: string | undefined
  /** Try again after so many seconds. */
  declare readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    const { status, code, cause } = refusal
    const all = { ...nothing(), codes: nothing(), ...refusal }
    super([...textsIn(all), code, `HTTP ${status}`].find(Boolean), { cause })
    Object.assign(this, all)
  }

  /** Whether one of the codes is this one, wherever it is: `error.has('email_not_verified')`. */
  has(code: string): boolean {
    return [this.code, ...textsIn(this.codes)].includes(code)
  }
}

const nothing = (): ErrorCodes => ({ fields: {}, nonField: [], detail: undefined })

/** The text that matters most is the first. */
const textsIn = ({ fields, nonField, detail }: ErrorCodes) => [
  detail,
  ...nonField,
  ...Object.values(fields).flat(),
]

/** Whether the service has refused the login. A 401 without JSON comes from a proxy. */
export const isLoginRefused = (error: unknown): boolean =>
  error instanceof AuthError && error.status === 401 && error.code !== 'not_json'
