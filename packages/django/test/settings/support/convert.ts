import { resolveSettings } from '../../../../server/src/settings/resolve.ts'
import { type Converted, fromDjango } from '../../../src/settings/from-django.ts'

/**
 * Converts a dump as the command does, except that every provider of social logins is accepted. Throws
 * if the service would not start with the result.
 */
export function convert(dump: object): Converted {
  const converted = fromDjango(dump, () => [])
  resolveSettings(converted.settings)
  return converted
}

/** The names that the notes are about. */
export const notedIn = (dump: object): string[] => convert(dump).notes.map(({ about }) => about)

/** Django's settings never contain these, so there is always a note. */
export const ALWAYS_NOTED = ['PUBLIC_URL', 'EMAIL_CONFIRM_URL', 'PASSWORD_RESET_URL', 'EMAIL_URL']

export const TOKEN = 'rest_framework.authentication.TokenAuthentication'
export const SESSION = 'rest_framework.authentication.SessionAuthentication'

/** The modules of a project without registration and social logins. */
export const WITHOUT_SIGNUP = ['mfa', 'passkeys', 'pages']
