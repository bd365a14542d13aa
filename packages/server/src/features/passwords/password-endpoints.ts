import type { Host } from '../../core/host/host.ts'
import { clearJwtCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, forUsers, telling } from '../../http/endpoint.ts'
import { email, optional, password, secret, text } from '../../http/fields.ts'
import { PASSWORD_MAX } from '../../kernel/lengths.ts'
import { fault } from '../../kernel/problems.ts'
import type { UpToDevices } from '../devices/feature.ts'
import type { OwnPassword } from './own-password.ts'
import type { PasswordReset } from './password-reset.ts'
import { possiblePasswordFaults } from './password-rules.ts'

export const newPasswordFields = {
  new_password1: password({ max: PASSWORD_MAX }),
  new_password2: password({ max: PASSWORD_MAX }),
}

/** The longest uid. A text that cannot be a uid gets the same answer as an unknown one. */
const UID_MAX = 254
const uid = text({ max: UID_MAX, tooLong: fault('invalid_value') })

const resetToken = secret('ns9k3b0g-4f1b7c9e2d8a6053b1c4e7f9a2d5083b')

export const confirmFields = { ...newPasswordFields, uid, token: resetToken }

export const newPasswordFaults = (host: Host) => ({
  new_password2: [fault('passwords_differ'), ...possiblePasswordFaults(host)],
})

type ResetNeeds = { passwordReset: PasswordReset; host: Host }

export const requestResetEndpoint = (passwordReset: PasswordReset): Endpoint =>
  endpoint({
    method: 'POST',
    path: 'password/reset/',
    operationId: 'requestPasswordReset',
    summary: 'Send a mail with a link to choose a new password, if a user has that address',
    access: 'public',
    throttle: 'auth_service',
    limit: 'reset_mail',
    captcha: { on: 'reset' },
    body: { email: email() },
    replies: { 200: telling('reset_sent') },
    async handle({ body, say }) {
      await passwordReset.request(body.email)
      return { detail: say('reset_sent') }
    },
  })

export const confirmResetEndpoint = ({ passwordReset, host }: ResetNeeds): Endpoint =>
  endpoint({
    method: 'POST',
    path: 'password/reset/confirm/',
    operationId: 'confirmPasswordReset',
    summary: 'Choose a new password with the uid and the token from the mail',
    access: 'public',
    throttle: 'auth_service',
    body: confirmFields,
    replies: { 200: telling('password_reset') },
    faults: { ...newPasswordFaults(host), uid: ['invalid_value'], token: ['invalid_value'] },
    async handle({ body: { uid, token, ...typed }, turn, say }) {
      await passwordReset.confirm({ uid, token }, typed, turn)
      return { detail: say('password_reset') }
    },
  })

export function changePasswordEndpoint({
  ownPassword,
  host,
  http,
  settings,
}: UpToDevices & { ownPassword: OwnPassword }): Endpoint {
  const { cookies, csrf } = http
  const { OLD_PASSWORD_FIELD_ENABLED, LOGOUT_ON_PASSWORD_CHANGE } = settings.REST_AUTH
  const { REAUTHENTICATION_REQUIRED } = settings.ACCOUNT
  // With a stale credential the old password may be sent instead of authenticating again.
  const oldPassword = OLD_PASSWORD_FIELD_ENABLED
    ? { old_password: password() }
    : REAUTHENTICATION_REQUIRED && { old_password: optional(password()) }

  return endpoint({
    ...forUsers,
    method: 'POST',
    path: 'password/change/',
    operationId: 'changePassword',
    summary: 'Change the password',
    freshness: { unlessSent: 'old_password' },
    body: { ...oldPassword, ...newPasswordFields },
    replies: { 200: telling('password_saved') },
    faults: { ...newPasswordFaults(host), old_password: ['old_password_wrong'] },
    async check({ body, identity, turn }) {
      const { old_password } = body as { old_password?: string }
      if (old_password === undefined) return {}
      const isRight = await ownPassword.isRight(identity.user, old_password, turn)
      return isRight ? {} : { old_password: [fault('old_password_wrong')] }
    },
    async handle({ body, identity, turn, reply, say }) {
      const session = await ownPassword.change(identity, body, turn)
      if (session) {
        cookies.session.set(reply, session.id)
        csrf.renew(reply, session.loginId)
      }
      if (LOGOUT_ON_PASSWORD_CHANGE) {
        cookies.session.clear(reply)
        clearJwtCookies(cookies, reply)
      }
      return { detail: say('password_saved') }
    },
  })
}
