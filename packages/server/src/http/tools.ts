import type { Languages } from '../core/languages.ts'
import type { FindPlace } from '../core/place.ts'
import type { Clock } from '../kernel/clock.ts'
import { adminView } from '../settings/admin-view.ts'
import type { Settings } from '../settings/settings.ts'
import { createAnswerNames } from './answer-names.ts'
import { createDeviceOf } from './client-address.ts'
import { createCookies } from './cookies.ts'
import { createCsrf } from './csrf.ts'
import { createOrigins } from './origins.ts'
import { createSitePages } from './pages/site-page.ts'

/** The parts of HTTP that endpoints and authenticators need. */
export type HttpTools = ReturnType<typeof createHttpTools>

type Needs = {
  settings: Settings
  languages: Languages
  place: FindPlace
  secretKey: string
  clock: Clock
  /** For the admin API: the path of its cookies. */
  adminPath?: () => string
}

function createHttpTools(needs: Needs) {
  const { settings, languages, place, secretKey, clock, adminPath } = needs
  const cookies = createCookies({ settings, clock, place, ownPath: adminPath })
  const origins = createOrigins(settings, { isStrict: adminPath !== undefined })
  return {
    cookies,
    origins,
    pages: createSitePages({ settings, languages, place, origins }),
    deviceOf: createDeviceOf(settings),
    answerNames: createAnswerNames(settings.REST_AUTH.ANSWER_NAMES),
    csrf: createCsrf({
      secretKeys: [secretKey, ...settings.SECRET_KEY_FALLBACKS],
      cookies,
      origins,
      acceptsDjango: settings.DJANGO_SECRET_KEY !== null,
      purpose: adminPath ? 'admin-csrf' : 'csrf',
    }),
  }
}

/** The tools of the public API, and those of the admin API. */
export const createBothHttpTools = ({ adminPath, ...needs }: Required<Needs>) => ({
  http: createHttpTools(needs),
  adminHttp: createHttpTools({ ...needs, settings: adminView(needs.settings), adminPath }),
})
