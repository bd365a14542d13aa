import { endpoint } from '../../http/endpoint.ts'
import { email, identifier, optional, password } from '../../http/fields.ts'
import type { LoginExchange } from './answer-login.ts'
import type { Login } from './login.ts'

type Needs = { login: Login; exchange: LoginExchange }

export const loginEndpoint = ({
  login,
  exchange: { visitorOf, answer, replies, refusals },
}: Needs) =>
  endpoint({
    method: 'POST',
    path: 'login/',
    operationId: 'login',
    summary: 'Log in with a username or an e-mail address, and a password',
    access: 'opens-session',
    throttle: 'auth_service',
    body: {
      username: optional(identifier()),
      email: optional(email({ mayBeBlank: true })),
      password: password(),
    },
    usualFields: ['username', 'password'],
    replies,
    refusals: [
      'identifier_and_password_needed',
      'username_and_password_needed',
      'email_and_password_needed',
      ...refusals,
    ],
    async handle(call) {
      const { username = '', email = '', password } = call.body
      const credentials = { username, email, password }
      return answer(call.reply, await login.withPassword(credentials, visitorOf(call)))
    },
  })
