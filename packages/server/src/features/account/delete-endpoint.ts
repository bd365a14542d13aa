import { clearEveryCookie } from '../../http/cookies.ts'
import { endpoint, saying } from '../../http/endpoint.ts'
import { code, optional, password } from '../../http/fields.ts'
import type { HttpTools } from '../../http/tools.ts'
import { fault } from '../../kernel/problems.ts'
import type { Leaving } from './leaving.ts'

const DELETED = 'Account deleted.'

type Needs = { leaving: Leaving; http: HttpTools }

export const deleteEndpoint = ({ leaving, http: { cookies } }: Needs) =>
  endpoint({
    method: 'POST',
    path: 'account/delete/',
    operationId: 'deleteAccount',
    summary: 'Delete the account of the user, with everything that belongs to it',
    access: 'signed-in',
    freshness: 'required-without-password',
    throttle: 'auth_service',
    body: { password: optional(password()), code: optional(code()) },
    replies: { 200: saying(DELETED) },
    refusals: ['mfa_code_invalid'],
    faults: { password: ['required', fault('password_invalid')], code: ['required'] },
    check: ({ identity, body, address, gone }) =>
      leaving.check(identity, body, { client: address, gone }),
    async handle({ identity, body, address, reply }) {
      await leaving.leave(identity, body, address)
      clearEveryCookie(cookies, reply)
      return { detail: DELETED }
    },
  })
