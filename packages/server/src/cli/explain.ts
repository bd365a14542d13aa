import { Problem } from '../kernel/problems.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { CommandRefusal } from './refusal.ts'

/** The error for the person at the terminal: one cause per line, never a stack. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof CommandRefusal) return [error.message]
  if (error instanceof SettingsError) return error.mistakes
  if (error instanceof Problem) return Object.entries(error.body).flatMap(problemLines)
  return [`Unexpected error: ${firstLine(error)}`]
}

const problemLines = ([place, texts]: [string, unknown]): readonly string[] => {
  const isField = place !== 'detail' && place !== 'non_field_errors'
  return [texts].flat().map((text) => (isField ? `${place}: ${text}` : String(text)))
}

export function firstLine(error: unknown): string {
  // If several addresses were tried, the error itself has no text, only its parts.
  const [cause] = error instanceof AggregateError ? error.errors : [error]
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return line
}
