import { Type } from '@sinclair/typebox'
import { renderSVG } from 'uqr'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { code, secret } from '../../http/fields.ts'
import type { Mfa } from './mfa.ts'

const Offer = Type.Object(
  {
    secret: Type.String(),
    totp_url: Type.String(),
    qr_code_data_uri: Type.String(),
    activation_token: Type.String(),
  },
  { $id: 'TotpOffer' },
)

const common = {
  path: 'mfa/totp/activate/',
  access: 'signed-in',
  freshness: 'required',
  throttle: 'auth_service',
} as const

export function activateEndpoints({ activation }: Mfa): Endpoint[] {
  const begin = endpoint({
    ...common,
    method: 'GET',
    operationId: 'beginTotpActivation',
    summary: 'Get a new secret for an authenticator app; MFA is not on yet',
    replies: { 200: Offer },
    refusals: ['verify_email_first'],
    async handle({ identity }) {
      const offer = await activation.begin(identity.user)
      return {
        secret: offer.secret,
        totp_url: offer.url,
        qr_code_data_uri: qrCode(offer.url),
        activation_token: offer.token,
      }
    },
  })

  const complete = endpoint({
    ...common,
    method: 'POST',
    operationId: 'activateTotp',
    summary: 'Switch MFA on with the first code from the app, and log out all other devices',
    body: { activation_token: secret(), code: code() },
    replies: {
      200: Type.Object({ recovery_codes: Type.Array(Type.String()) }, { $id: 'NewRecoveryCodes' }),
    },
    refusals: [
      'mfa_already_enabled',
      'activation_token_invalid',
      'activation_token_foreign',
      'activation_code_invalid',
      'verify_email_first',
    ],
    async handle({ identity, body }) {
      return {
        recovery_codes: await activation.complete(identity, body.activation_token, body.code),
      }
    },
  })

  return [begin, complete]
}

const qrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text)).toString('base64')}`
