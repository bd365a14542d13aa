import { endpoint } from '../../http/endpoint.ts'
import { BY_USER } from './by-whom.ts'
import type { Dossier } from './dossier.ts'

export const exportEndpoint = (dossier: Dossier) =>
  endpoint({
    method: 'GET',
    path: 'account/export/',
    operationId: 'exportAccount',
    summary: 'Everything that is known about the user, as a file to download',
    access: 'signed-in',
    freshness: 'always-required',
    throttle: 'auth_service',
    replies: { 200: dossier.schema },
    async handle({ identity, reply }) {
      const known = await dossier.of(identity.user, BY_USER)
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return known
    },
  })
