import * as Type from '@sinclair/typebox'
import { renderSVG } from 'uqr'
import type { DossierEntry } from '../../core/every-feature.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { type Endpoint, endpoint, forUsers, type Method, telling } from '../../http/endpoint.ts'
import { code, secret } from '../../http/fields.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
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

const Codes = Type.Array(Type.String())
const RecoveryCodes = Type.Object({ codes: Codes }, { $id: 'RecoveryCodes' })

const status = {
  mfa_enabled: Type.Boolean(),
  created_at: orNull(Time),
  last_used_at: orNull(Time),
  recovery_codes_left: Type.Integer(),
}

const common = { ...forUsers, freshness: 'required' } as const

export function mfaEndpoints(mfa: Mfa): Endpoint[] {
  const { activation } = mfa

  const beginActivation = endpoint({
    ...common,
    restricted: ['mfa_setup'],
    method: 'GET',
    path: 'mfa/totp/activate/',
    operationId: 'beginTotpActivation',
    summary: 'Get a new secret for an authenticator app; MFA is not on yet',
    replies: { 200: Offer },
    refusals: ['verify_email_first', 'passkey_required'],
    async handle({ identity }) {
      const { secret, url, token } = await activation.begin(identity)
      return { secret, totp_url: url, qr_code_data_uri: qrCode(url), activation_token: token }
    },
  })

  const activate = endpoint({
    ...common,
    restricted: ['mfa_setup'],
    method: 'POST',
    path: 'mfa/totp/activate/',
    operationId: 'activateTotp',
    summary: 'Switch MFA on with the first code from the app, and log out all other devices',
    body: { activation_token: secret(), code: code() },
    replies: { 200: Type.Object({ recovery_codes: Codes }, { $id: 'NewRecoveryCodes' }) },
    refusals: [
      'mfa_already_enabled',
      'activation_token_invalid',
      'activation_token_foreign',
      'activation_code_invalid',
      'verify_email_first',
      'passkey_required',
    ],
    handle: async ({ identity, body }) => ({
      recovery_codes: await activation.complete(identity, body.activation_token, body.code),
    }),
  })

  const deactivate = endpoint({
    ...common,
    method: 'POST',
    path: 'mfa/totp/deactivate/',
    operationId: 'deactivateTotp',
    summary: 'Switch MFA off with a code, and log out all other devices',
    body: { code: code() },
    replies: { 200: telling('totp_deactivated') },
    refusals: ['mfa_not_enabled', 'mfa_code_invalid'],
    async handle({ identity, body, address, say }) {
      await mfa.deactivate(identity, body.code, address)
      return { detail: say('totp_deactivated') }
    },
  })

  const showStatus = endpoint({
    ...common,
    restricted: ['mfa_setup'],
    freshness: 'not-needed',
    method: 'GET',
    path: 'mfa/status/',
    operationId: 'getMfaStatus',
    summary: 'Get whether MFA is on, since when, and how many recovery codes are left',
    replies: { 200: Type.Object(status, { $id: 'MfaStatus' }) },
    handle: ({ identity }) => statusOf(mfa, identity.user.id),
  })

  // Clients of newer versions of dj-rest-auth send POST, those of older ones GET.
  const showCodes = (method: Method, operationId: string) =>
    endpoint({
      ...common,
      method,
      path: 'mfa/recovery-codes/',
      operationId,
      summary: 'List the recovery codes that are not used yet',
      replies: { 200: RecoveryCodes },
      handle: async ({ identity }) => ({ codes: await mfa.unusedRecoveryCodes(identity.user.id) }),
    })

  const regenerateCodes = endpoint({
    ...common,
    method: 'POST',
    path: 'mfa/recovery-codes/regenerate/',
    operationId: 'regenerateRecoveryCodes',
    summary: 'Create new recovery codes; the old ones no longer work',
    replies: { 200: RecoveryCodes },
    refusals: ['mfa_not_enabled'],
    handle: async ({ identity }) => ({ codes: await mfa.regenerateRecoveryCodes(identity) }),
  })

  return [
    beginActivation,
    activate,
    deactivate,
    showStatus,
    showCodes('GET', 'getRecoveryCodes'),
    showCodes('POST', 'listRecoveryCodes'),
    regenerateCodes,
  ]
}

/** Says whether there is a second factor, without its secret and codes. */
export const mfaEntry = (mfa: Mfa): DossierEntry => ({
  name: 'second_factor',
  schema: Type.Object(status),
  read: ({ id }) => statusOf(mfa, id),
})

async function statusOf(mfa: Mfa, userId: number) {
  const { authenticator, codesLeft } = await mfa.status(userId)
  return {
    mfa_enabled: authenticator !== undefined,
    created_at: isoTimeOrNull(authenticator?.created_at ?? null),
    last_used_at: isoTimeOrNull(authenticator?.last_used_at ?? null),
    recovery_codes_left: codesLeft,
  }
}

const qrCode = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text)).toString('base64')}`
