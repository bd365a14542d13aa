import { problems, type Text } from './problem-table.ts'

type Problems = typeof problems
export type ProblemCode = keyof Problems
type ParamsOf<C extends ProblemCode> = Problems[C]['text'] extends (params: infer P) => string
  ? [params: P]
  : []

/** The codes of the problems at this place whose text has no parameters. */
type CodesWithoutParams<At> = {
  [C in ProblemCode]: [Problems[C]['at'], Problems[C]['text']] extends [At, string] ? C : never
}[ProblemCode]

/** What can be wrong with a field. The caller names the field. */
export type FaultCode = CodesWithoutParams<'field'>
/** Problems whose body is always the same. */
export type PlainProblemCode = Exclude<CodesWithoutParams<string>, FaultCode>

/** One thing that is wrong with one field, as text for the client. */
export type Fault = { readonly code: ProblemCode; readonly text: string }

export function fault<C extends ProblemCode>(code: C, ...[params]: ParamsOf<C>): Fault {
  const text: Text = problems[code].text
  return { code, text: typeof text === 'string' ? text : text(params) }
}

/**
 * A refusal. Any code may throw one, and `http/error-handler.ts` turns it into an answer. It is in
 * the kernel, so that services and adapters refuse in the same words.
 */
export class Problem extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>
  /** True if the reason is already in the log. */
  isLogged = false

  constructor(status: number, body: Record<string, unknown>, message: string) {
    super(message)
    this.status = status
    this.body = body
    this.headers = {}
  }

  with(header: string, value: string | number): this {
    this.headers[header] = String(value)
    return this
  }

  logged(): this {
    this.isLogged = true
    return this
  }
}

export function problem<C extends ProblemCode>(code: C, ...params: ParamsOf<C>): Problem {
  const { status, at, ...rest } = problems[code]
  const { text } = fault(code, ...params)
  const body = { [at]: at === 'detail' ? text : [text], ...('code' in rest && { code: rest.code }) }
  return new Problem(status, body, code)
}

/**
 * What can be wrong with a JSON Web Token. Some endpoints add a code to the body, others do not.
 */
export const tokenFaults = [
  'token_invalid',
  'token_expired',
  'token_wrong_type',
  'token_blacklisted',
] as const
export type TokenFault = (typeof tokenFaults)[number]

export function tokenNotValid(code: TokenFault): Problem {
  const { status, body } = problem(code)
  return new Problem(status, { ...body, code: 'token_not_valid' }, code)
}

export function accessTokenNotValid(code: TokenFault): Problem {
  const { status, body } = problem('access_token_not_valid')
  const message = fault(code).text
  const messages = [{ token_class: 'AccessToken', token_type: 'access', message }]
  return new Problem(status, { ...body, messages }, code)
}

/** One problem with all faults of all fields of a request. */
export function fieldProblem(faults: Record<string, readonly Fault[]>): Problem {
  const texts = Object.entries(faults).map(([name, list]) => [name, list.map((f) => f.text)])
  const codes = Object.entries(faults).map(([name, list]) => `${name}: ${list.map((f) => f.code)}`)
  return new Problem(400, Object.fromEntries(texts), codes.join('; '))
}

export const throttled = (seconds: number): Problem =>
  problem('throttled', { seconds }).with('Retry-After', seconds)

export const unavailable = (seconds = 5): Problem =>
  problem('unavailable').with('Retry-After', seconds)

/** For `catch`: a refusal becomes null. An outage is thrown again, since it refuses nothing. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
