import { fromDjango } from '../../../django/src/settings/from-django.ts'
import {
  accountUrls,
  found,
  registrationUrls,
} from '../../../django/test/settings/support/recipe.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { startAuth } from './start-auth.ts'

export const FRONT_END = 'https://app.example.com'

/** What axios sends with every request, unless it is told otherwise. */
export const AXIOS = { accept: 'application/json, text/plain, */*' }

export const FORM = 'application/x-www-form-urlencoded'

export const formOf = (fields: Record<string, string>): string =>
  new URLSearchParams(fields).toString()

/**
 * The service for the front end of a Django project: with the settings of the project as
 * `latchkey settings --from-django` translates them, and with what is not in them, such as paths. The
 * URLs of the project include everything that it has installed.
 */
export async function startForProject(
  django: object,
  { REST_AUTH, ...more }: UncheckedSettings = {},
  options: Parameters<typeof startAuth>[1] = {},
) {
  const facts = 'INSTALLED_APPS' in django ? ALL_URLS : {}
  const { settings } = fromDjango({ ...facts, ...django }, () => [])
  return startAuth(
    { ...settings, ...more, REST_AUTH: { ...settings.REST_AUTH, ...REST_AUTH } },
    options,
  )
}

const ALL_URLS = found({
  version: null,
  urls: [
    ...accountUrls('auth/'),
    ...registrationUrls('auth/registration/'),
    { path: 'auth/idp/', view: 'dj_rest_auth.registration.views.SocialLoginView', provider: 'idp' },
  ],
})
