import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { tagged } from '../../http/endpoint.ts'
import type { UpToDevices } from '../devices/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createAdoptPasswords } from './adopt-passwords.ts'
import { createOwnPassword } from './own-password.ts'
import {
  changePasswordEndpoint,
  confirmResetEndpoint,
  requestResetEndpoint,
} from './password-endpoints.ts'
import { createPasswordReset } from './password-reset.ts'
import { createPasswordRules, loadIsCommon } from './password-rules.ts'
import { resetPageEndpoints } from './reset-page-endpoints.ts'

export const passwordsFeature = feature((house: UpToDevices) => {
  const { http, host, djangoOrigins, settings } = house
  const byUsername = settings.ACCOUNT.LOGIN_METHODS.includes('username')
  const passwordRules = createPasswordRules(host)
  const ownPassword = createOwnPassword({ ...house, passwordRules })
  const passwordReset = createPasswordReset({ ...house, passwordRules })
  return {
    offers: {
      passwordRules,
      ownPassword,
      passwordReset,
      adoptPasswords: createAdoptPasswords(house),
    },
    endpoints: tagged('Passwords', [
      requestResetEndpoint(passwordReset),
      confirmResetEndpoint({ passwordReset, host }),
      ...resetPageEndpoints(
        { passwordReset, host, site: http.pages },
        {
          path: 'password/reset/confirm/:uid/:token/',
          operationIds: { show: 'showPasswordResetPage', submit: 'submitPasswordResetPage' },
          isHosted: false,
        },
      ),
      changePasswordEndpoint({ ...house, ownPassword }),
    ]),
    later: loadIsCommon,
    // A password is of no use to a user whom the login cannot name.
    wayIn: async ({ id, password, email }, within) =>
      isUsablePassword(password) &&
      (byUsername || email !== '' || (await djangoOrigins.verifiedOf(id, within)).length > 0),
  }
})

export type UpToPasswords = UpToDevices & Offers<typeof passwordsFeature>
