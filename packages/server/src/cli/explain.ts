import { Problem } from '../kernel/problems.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { Refusal } from './refusal.ts'

/** What went wrong, for the person at the terminal: one thing a line, and never a stack. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof Refusal) return [error.message]
  if (error instanceof SettingsError) return error.mistakes
  if (error instanceof Problem) return Object.entries(error.body).flatMap(problemLines)
  return [`Unexpected error: ${firstLine(error)}`]
}

const problemLines = ([place, texts]: [string, unknown]): readonly string[] => {
  const isField = place !== 'detail' && place !== 'non_field_errors'
  return [texts].flat().map((text) => (isField ? `${place}: ${text}` : String(text)))
}

export function firstLine(error: unknown): string {
  // An attempt at several addresses fails as a whole, without a text of its own.
  const [cause] = error instanceof AggregateError ? error.errors : [error]
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return line
}
