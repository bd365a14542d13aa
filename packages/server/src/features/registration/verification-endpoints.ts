import { type Endpoint, endpoint, saying } from '../../http/endpoint.ts'
import { email } from '../../http/fields.ts'
import { keyField } from './link-page-endpoints.ts'
import type { Verification } from './verification.ts'

export function verificationEndpoints(verification: Verification): Endpoint[] {
  const verify = (path: string, operationId: string) =>
    endpoint({
      method: 'POST',
      path,
      operationId,
      summary: 'Confirm an address with the key from the mail',
      access: 'public',
      throttle: 'auth_service',
      body: keyField,
      replies: { 200: saying('ok') },
      refusals: ['not_found'],
      async handle({ body }) {
        await verification.verify(body.key)
        return { detail: 'ok' }
      },
    })

  const resend = endpoint({
    method: 'POST',
    path: 'registration/resend-email/',
    operationId: 'resendVerificationEmail',
    summary: 'Send the link to confirm an address again, if it is not confirmed yet',
    access: 'public',
    throttle: 'auth_service',
    limit: 'verify_mail',
    body: { email: email() },
    replies: { 200: saying('ok') },
    async handle({ body }) {
      await verification.resend(body.email)
      return { detail: 'ok' }
    },
  })

  return [
    verify('registration/verify-email/', 'verifyEmail'),
    verify('registration/account-confirm-email/', 'confirmEmail'),
    resend,
  ]
}
