import { AuthError } from 'latchkey-client'
import { say, sayCode, sayWait } from './words.ts'

/** What went wrong, in words for users: beside a field, or above the form. */
export type Trouble = { fields: Readonly<Record<string, string>>; general: string }

export const NO_TROUBLE: Trouble = { fields: {}, general: '' }

/** What belongs to no field of the form is shown above it, so that nothing gets lost. */
export function troubleOf(error: unknown, known: readonly string[]): Trouble {
  if (!(error instanceof AuthError)) {
    // A bug of ours. It belongs into the console.
    reportError(error)
    return { fields: {}, general: say('errors.unknown') }
  }
  if (error.status === 0) return { fields: {}, general: say('errors.network') }
  if (error.status === 429) {
    return {
      fields: {},
      general: say('errors.throttled', { wait: sayWait(error.retryAfter ?? 60) }),
    }
  }
  if (error.status >= 500) return { fields: {}, general: say('errors.unknown') }
  const { codes } = error
  const told = Object.entries(error.fields).map(
    ([name, texts]) => [name, wordsFor(texts, codes.fields[name]).join(' ')] as const,
  )
  const others = told.filter(([name]) => !known.includes(name)).map(([, text]) => text)
  const general = [...wordsFor(error.nonField, codes.nonField), ...others]
  if (error.detail !== undefined && told.length === 0)
    general.push(sayCode(codes.detail, error.detail))
  return {
    fields: Object.fromEntries(told.filter(([name]) => known.includes(name))),
    general: general.join(' '),
  }
}

const wordsFor = (texts: readonly string[], codes: readonly string[] = []): string[] =>
  texts.map((text, at) => sayCode(codes[at], text))

/** Whether the service asks for a recent login. */
export const asksAgain = (error: unknown): boolean =>
  error instanceof AuthError && error.code === 'reauthentication_required'

export const isSignedOut = (error: unknown): boolean =>
  error instanceof AuthError && error.status === 401
