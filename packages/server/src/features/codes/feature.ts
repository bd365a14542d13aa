import { createKeyedDigest } from '../../crypto/digests.ts'
import { tagged } from '../../http/endpoint.ts'
import { feature } from '../feature.ts'
import { createMailLimits, longestPause } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'
import { codeEndpoints } from './code-endpoints.ts'
import { createLoginByCode } from './login-by-code.ts'
import { createOpenCodes } from './open-codes.ts'
import { createShortCodes } from './short-codes.ts'

export const codesFeature = feature('codes', (house: UpToLogin) => {
  const { settings, secretKey } = house
  const { LOGIN_BY_CODE_ENABLED, LOGIN_BY_CODE_TIMEOUT, RATE_LIMITS } = settings.ACCOUNT
  const mailLimits = (digits: number) =>
    createMailLimits(house.limits, `code-mail-${digits}`, RATE_LIMITS.code_mail)
  const shortCodes = createShortCodes(house.limits)
  const openCodes = createOpenCodes({
    ...house,
    // A code lives for minutes, so a new secret key voids it.
    keyedDigest: createKeyedDigest(secretKey, [], 'login-codes'),
    lifetimeMs: LOGIN_BY_CODE_TIMEOUT,
    pauseMs: longestPause(RATE_LIMITS.code_mail),
  })
  const loginByCode = createLoginByCode({ ...house, openCodes, shortCodes, mailLimits })
  return {
    ...(LOGIN_BY_CODE_ENABLED && {
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
