import { tagged } from '../../http/endpoint.ts'
import { feature } from '../feature.ts'
import type { UpToLogin } from '../login/feature.ts'
import { codeEndpoints } from './code-endpoints.ts'
import { createLoginByCode } from './login-by-code.ts'
import { createOpenCodes, createShortCodes } from './open-codes.ts'

export const codesFeature = feature((house: UpToLogin) => {
  const shortCodes = createShortCodes(house.limits)
  const openCodes = createOpenCodes(house)
  const loginByCode = createLoginByCode({ ...house, openCodes, shortCodes })
  return {
    ...(house.settings.ACCOUNT.LOGIN_BY_CODE_ENABLED && {
      endpoints: tagged('Login', codeEndpoints({ ...house, loginByCode })),
      // An address that was never proved may be mistyped.
      wayIn: async ({ email, email_verified }) => email !== '' && email_verified === 1,
    }),
    keeps: {
      async erase(user, tx) {
        await openCodes.forgetUser(user.id, tx)
        await shortCodes.forgetUser(user, tx)
      },
    },
    sweeps: [{ table: 'login_codes', key: 'place', time: 'expires_at' }],
  }
})
