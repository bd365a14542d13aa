import { AuthError } from 'latchkey-client'
import { answersOf, detailOf, joined } from './answers.ts'
import { say, sayWait } from './words.ts'

/** What went wrong, in words for users: beside a field, or above the form. */
export type Trouble = { fields: Readonly<Record<string, string>>; general: string }

export const NO_TROUBLE: Trouble = { fields: {}, general: '' }

/** What belongs to no field of the form is shown above it, so that nothing gets lost. */
export function troubleOf(error: unknown, known: readonly string[]): Trouble {
  if (!(error instanceof AuthError)) {
    // This is a bug of ours, so it goes to the console.
    reportError(error)
    return { fields: {}, general: say('errors.unknown') }
  }
  if (isOfBrowser(error)) return { fields: {}, general: say('login.passkeyFailed') }
  if (error.status === 0) return { fields: {}, general: say('errors.network') }
  const { nonField, codes } = error
  // With another code, the service refuses for a reason other than its limits.
  if (error.status === 429 && (codes.detail ?? 'throttled') === 'throttled') {
    const wait = sayWait(error.retryAfter ?? 60)
    return { fields: {}, general: say('errors.throttled', { wait }) }
  }
  if (error.status >= 500) return { fields: {}, general: say('errors.unknown') }
  const told = Object.entries(error.fields).map(
    ([name, texts]) => [name, answersOf(texts, codes.fields[name], name)] as const,
  )
  const fields = Object.fromEntries(told.filter(([name]) => known.includes(name)))
  // A new password is typed once and sent twice. Its fault is shown once.
  const said = Object.values(fields)
  const others = told.map(([, text]) => text).filter((text) => !said.includes(text))
  const general = [answersOf(nonField, codes.nonField), ...others]
  if (told.length === 0) general.push(detailOf(error))
  return { fields, general: joined(general) }
}

/** Whether the browser ended the ceremony: it has no passkey, or the user has cancelled. */
export const isOfBrowser = (error: unknown): error is AuthError & { code: string } =>
  error instanceof AuthError && error.code?.endsWith('Error') === true

/** Whether the service refuses with this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof AuthError && error.has(code)

/** Whether the service asks for a recent login. */
export const asksAgain = (error: unknown): boolean => hasCode(error, 'reauthentication_required')

/** Whether the service refuses one of these fields. */
export const isAbout = (error: unknown, ...names: string[]): boolean =>
  error instanceof AuthError && names.some((name) => name in error.fields)

/** Whether it is unknown what the service did: it was not reached, or a proxy answered for it. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof AuthError && (error.status === 0 || error.status >= 500)

export const isSignedOut = (error: unknown): boolean =>
  error instanceof AuthError && error.status === 401
