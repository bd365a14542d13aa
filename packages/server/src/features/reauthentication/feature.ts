import { endpoint, saying, tagged } from '../../http/endpoint.ts'
import { type BodyOf, code, json, optional, password, sessionId } from '../../http/fields.ts'
import { fault, fieldProblem, type PlainProblemCode, problem } from '../../kernel/problems.ts'
import { feature } from '../feature.ts'
import type { UpToLogin } from '../login/feature.ts'
import { usedPasskeyRefusals } from '../passkeys/passkeys-endpoints.ts'
import { createReauthenticate, type Proof, type Reauthenticate } from './reauthenticate.ts'

export const reauthenticationFeature = feature((house: UpToLogin) => {
  const reauthenticate = createReauthenticate(house)
  return { endpoints: tagged('Logins', [reauthenticateEndpoint(reauthenticate)]) }
})

const proofFields = {
  password: optional(password()),
  code: optional(code()),
  credential: optional(json()),
  session_id: optional(sessionId()),
}

/** `none` is the refusal of a body without a proof. */
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
    body: proofFields,
    usualFields: ['password'],
    replies: { 200: saying('ok') },
    refusals: [
      'reauthentication_required',
      none,
      'password_invalid',
      'mfa_not_enabled',
      'mfa_code_invalid',
      ...usedPasskeyRefusals,
      () => fieldProblem({ session_id: [fault('required')] }),
    ],
    async handle({ body, identity, turn }) {
      await reauthenticate(identity, proofIn(body, none), turn)
      return { detail: 'ok' }
    },
  })

/** If several are sent, the first one counts. */
function proofIn(body: BodyOf<typeof proofFields>, none: PlainProblemCode): Proof {
  const { password, code, credential, session_id: sessionId } = body
  if (password !== undefined) return { password }
  if (code !== undefined) return { code }
  if (credential === undefined) throw problem(none)
  if (sessionId === undefined) throw fieldProblem({ session_id: [fault('required')] })
  return { credential, sessionId }
}
