import { createKeyedDigest } from '../../crypto/keyed-digest.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import type { Limits } from '../limits/limits.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import type { Gate } from '../login/gate.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
import { codeEndpoints } from './code-endpoints.ts'
import { createLogInByCode } from './log-in-by-code.ts'
import { createOpenCodes } from './open-codes.ts'
import { createSendCode } from './send-code.ts'

type Earlier = {
  audit: Audit
  limits: Limits
  failedLogins: FailedLogins
  outbox: Outbox
  events: Events
  users: Users
  provedAddress: ProvedAddress
  unprovedAdditions: UnprovedAdditions
  revocation: Revocation
  gate: Gate
  exchange: LoginExchange
}

export const codesFeature = feature('codes', (context, earlier: Earlier) => {
  const { settings, secretKey, metrics } = context
  const { LOGIN_BY_CODE_ENABLED, LOGIN_BY_CODE_TIMEOUT, RATE_LIMITS } = settings.ACCOUNT
  const openCodes = createOpenCodes({
    ...context,
    // A code lives for minutes, so a new secret key voids it.
    keyedDigest: createKeyedDigest(secretKey, [], 'login-codes'),
    lifetimeMs: LOGIN_BY_CODE_TIMEOUT,
  })
  const mailLimits = createMailLimits(earlier.limits, 'code-mail', RATE_LIMITS.code_mail)
  const needs = { ...context, ...earlier, openCodes, mailLimits, count: metrics.countLogin }
  const sendCode = createSendCode(needs)
  const logInByCode = createLogInByCode(needs)
  return {
    service: openCodes,
    ...(LOGIN_BY_CODE_ENABLED && {
      endpoints: tagged('Login', codeEndpoints({ ...earlier, sendCode, logInByCode })),
      // An address that was never proved may be mistyped.
      wayIn: async ({ email, email_verified }) => email !== '' && email_verified === 1,
    }),
    keeps: { known: [], erase: (user, tx) => openCodes.forgetUser(user.id, tx) },
    sweeps: [{ table: 'login_codes', forget: openCodes.forgetExpired }],
  }
})
