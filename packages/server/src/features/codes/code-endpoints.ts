import * as Type from '@sinclair/typebox'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { code, nameFields, sessionId } from '../../http/fields.ts'
import { english } from '../../kernel/words/english.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { LoginByCode } from './login-by-code.ts'

const CodeSent = Type.Object(
  { detail: Type.String(), session_id: Type.String({ pattern: '^[0-9a-f]{32}$' }) },
  {
    $id: 'CodeSent',
    examples: [
      { detail: english.answers.login_code_sent, session_id: '5f2c0e7a91b34d68a0c1e2f3b4d5a697' },
    ],
  },
)

const common = { method: 'POST', throttle: 'auth_service' } as const

export const codeEndpoints = ({
  loginByCode,
  exchange: { visitorOf, answer, replies, refusals },
}: UpToLogin & { loginByCode: LoginByCode }): Endpoint[] => [
  endpoint({
    ...common,
    path: 'login/code/',
    operationId: 'sendLoginCode',
    summary: 'Send a code to log in with, if there is such an account',
    access: 'public',
    limit: 'code_mail',
    captcha: { on: 'code' },
    body: nameFields,
    usualFields: ['email'],
    replies: { 200: CodeSent },
    refusals: ['identifier_needed', 'username_needed', 'email_needed'],
    async handle({ body: { username = '', email = '' }, say }) {
      return {
        detail: say('login_code_sent'),
        session_id: await loginByCode.send({ username, email }),
      }
    },
  }),
  endpoint({
    ...common,
    path: 'login/code/confirm/',
    operationId: 'logInByCode',
    summary: 'Log in with the code of the mail',
    access: 'opens-session',
    body: { session_id: sessionId(), code: code() },
    replies,
    refusals: ['login_code_expired', 'mfa_code_invalid', ...refusals],
    async handle(call) {
      const { session_id, code } = call.body
      const typed = { sessionId: session_id, code }
      return answer(call.reply, await loginByCode.logIn(typed, visitorOf(call)))
    },
  }),
]
