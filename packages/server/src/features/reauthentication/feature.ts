import { endpoint, saying, tagged } from '../../http/endpoint.ts'
import { code, json, optional, password, sessionId } from '../../http/fields.ts'
import { fault, fieldProblem, type PlainProblemCode, problem } from '../../kernel/problems.ts'
import { feature } from '../feature.ts'
import type { UpToLogin } from '../login/feature.ts'
import { createReauthenticate, type Proof, type Reauthenticate } from './reauthenticate.ts'

export const reauthenticationFeature = feature('reauthentication', (house: UpToLogin) => {
  const reauthenticate = createReauthenticate(house)
  return { endpoints: tagged('Logins', [reauthenticateEndpoint(reauthenticate)]) }
})

type Body = {
  password?: string | undefined
  code?: string | undefined
  credential?: unknown
  session_id?: string | undefined
}

/** `none` refuses a body without a proof. */
export const reauthenticateEndpoint = (
  reauthenticate: Reauthenticate,
  none: 'reauthentication_proof_needed' | 'admin_proof_needed' = 'reauthentication_proof_needed',
) =>
  endpoint({
    method: 'POST',
    path: 'reauthenticate/',
    operationId: 'reauthenticate',
    summary: 'Prove again who you are, with a password, a code or a passkey',
    access: 'signed-in',
    // Setting up a second factor may need a fresh login.
    restricted: ['mfa_setup'],
    freshness: 'not-needed',
    throttle: 'auth_service',
    body: {
      password: optional(password()),
      code: optional(code()),
      credential: optional(json()),
      session_id: optional(sessionId()),
    },
    usualFields: ['password'],
    replies: { 200: saying('ok') },
    refusals: [
      'reauthentication_required',
      none,
      'password_invalid',
      'mfa_not_enabled',
      'mfa_code_invalid',
      'passkeys_not_configured',
      'authentication_challenge_expired',
      'invalid_credential_format',
      'authentication_not_verified',
      () => fieldProblem({ session_id: [fault('required')] }),
    ],
    async handle({ body, identity, address, gone }) {
      await reauthenticate(identity, proofIn(body, none), { client: address, gone })
      return { detail: 'ok' }
    },
  })

/** If several are sent, the first one counts. */
function proofIn(body: Body, none: PlainProblemCode): Proof {
  const { password, code, credential, session_id: sessionId } = body
  if (password !== undefined) return { password }
  if (code !== undefined) return { code }
  if (credential === undefined) throw problem(none)
  if (sessionId === undefined) throw fieldProblem({ session_id: [fault('required')] })
  return { credential, sessionId }
}
