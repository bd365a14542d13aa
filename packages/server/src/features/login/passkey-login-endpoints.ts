import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { email, identifier, json, optional, sessionId } from '../../http/fields.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import { accountOf } from '../limits/limits.ts'
import { RequestOptions } from '../passkeys/answer-passkey.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { LoginExchange } from './answer-login.ts'
import type { Gate } from './gate.ts'

const common = { method: 'POST', access: 'opens-session', throttle: 'auth_service' } as const

type Needs = { passkeys: Passkeys; failedLogins: FailedLogins; gate: Gate; exchange: LoginExchange }

export const passkeyLoginEndpoints = ({
  passkeys,
  failedLogins,
  gate,
  exchange: { visitorOf, answer, replies, refusals },
}: Needs): Endpoint[] => [
  endpoint({
    ...common,
    access: 'public',
    limit: 'passkey_begin',
    path: 'passkeys/login/begin/',
    operationId: 'beginPasskeyLogin',
    summary: 'Get the options for `navigator.credentials.get()`, for one user or for anybody',
    body: {
      username: optional(identifier()),
      email: optional(email({ mayBeBlank: true })),
    },
    usualFields: ['username'],
    replies: { 200: RequestOptions },
    refusals: ['passkeys_not_configured'],
    handle: ({ body: { username = '', email = '' } }) => passkeys.beginLogin({ username, email }),
  }),
  endpoint({
    ...common,
    path: 'passkeys/login/complete/',
    operationId: 'completePasskeyLogin',
    summary: 'Log in with the passkey that the browser used',
    body: { credential: json(), session_id: sessionId() },
    replies,
    refusals: [
      'passkeys_not_configured',
      'authentication_challenge_expired',
      'invalid_credential_format',
      'authentication_not_verified',
      ...refusals,
    ],
    async handle(call) {
      const { credential, session_id } = call.body
      const { user, isStrong } = await passkeys.completeLogin(credential, session_id)
      // Checked after the proof, so that only the owner learns that the account is locked.
      await failedLogins.refuseIfTooMany({ account: accountOf(user), address: call.address })
      const proof = { method: 'passkey', isStrong, visitor: visitorOf(call) } as const
      return answer(call.reply, await gate.completeLogin(user, proof))
    },
  }),
]
