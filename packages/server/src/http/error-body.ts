import type { Problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'

type ErrorSettings = Pick<Settings, 'REST_FRAMEWORK'>

const USUAL_KEY = 'non_field_errors'

/** The body of a refusal as this deployment words it: the names of its keys are settings. */
export function errorBody(
  { status, body }: Problem,
  { REST_FRAMEWORK }: ErrorSettings,
): Record<string, unknown> {
  const { NON_FIELD_ERRORS_KEY: key, ERRORS_UNDER: under } = REST_FRAMEWORK
  const renamed =
    key !== USUAL_KEY && USUAL_KEY in body
      ? Object.fromEntries(Object.entries(body).map(([k, v]) => [k === USUAL_KEY ? key : k, v]))
      : body
  return under !== null && status < 500 ? { [under]: renamed } : renamed
}
