import { clearEveryCookie } from '../../http/cookies.ts'
import { endpoint, forUsers, telling } from '../../http/endpoint.ts'
import { code, optional, password } from '../../http/fields.ts'
import { fault } from '../../kernel/problems.ts'
import type { UpToSocial } from '../social/feature.ts'
import type { Dossier } from './dossier.ts'
import type { Leaving } from './erase.ts'

export const exportEndpoint = (dossier: Dossier) =>
  endpoint({
    ...forUsers,
    method: 'GET',
    path: 'account/export/',
    operationId: 'exportAccount',
    summary: 'Everything that is known about the user, as a file to download',
    freshness: 'always-required',
    replies: { 200: dossier.schema },
    async handle({ identity, reply }) {
      const known = await dossier.of(identity.user, null)
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return known
    },
  })

export const deleteEndpoint = ({ leaving, http: { cookies } }: UpToSocial & { leaving: Leaving }) =>
  endpoint({
    ...forUsers,
    method: 'POST',
    path: 'account/delete/',
    operationId: 'deleteAccount',
    summary: 'Delete the account of the user, with everything that belongs to it',
    freshness: 'required-without-password',
    body: { password: optional(password()), code: optional(code()) },
    replies: { 200: telling('account_deleted') },
    refusals: ['mfa_code_invalid', 'last_superuser'],
    faults: { password: ['required', fault('password_invalid')], code: ['required'] },
    check: ({ identity, body, turn }) => leaving.check(identity, body, turn),
    async handle({ identity, body, address, reply, say }) {
      await leaving.leave(identity, body, address)
      clearEveryCookie(cookies, reply)
      return { detail: say('account_deleted') }
    },
  })
