import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { clearLoginCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, forUsers } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { Devices } from './devices.ts'

type Needs = { devices: Devices; http: HttpTools }

export function devicesEndpoints({ devices, http: { cookies, answerNames } }: Needs): Endpoint[] {
  const list = endpoint({
    ...forUsers,
    method: 'GET',
    path: 'sessions/',
    operationId: 'listLogins',
    summary: 'The logins of the user, newest first, and the token if there is one',
    freshness: 'not-needed',
    replies: { 200: DevicesReply },
    handle: ({ identity }) => devices.list(identity),
  })

  const end = endpoint({
    ...forUsers,
    method: 'DELETE',
    path: 'sessions/:id/',
    operationId: 'endLogin',
    summary: 'End one login; ending the current one logs out',
    freshness: 'required',
    replies: { 204: null },
    async handle({ identity, params: { id = '' }, request, reply }) {
      const isCurrent = await devices.end(identity, id)
      if (isCurrent && identity.via !== 'token') clearLoginCookies(cookies, request, reply)
    },
  })

  const key = Type.Optional(Type.String())
  const endOthers = endpoint({
    ...forUsers,
    method: 'POST',
    path: 'sessions/end-others/',
    operationId: 'endOtherLogins',
    summary: 'End every other login; a token is replaced by a new one, or ended',
    freshness: 'required',
    replies: { 200: answerNames.schemaOf({ detail: Type.String(), key }, { $id: 'OthersEnded' }) },
    async handle({ identity, say }) {
      const key = await devices.endOthers(identity)
      return answerNames.renamed({ detail: say('others_ended'), ...(key !== null && { key }) })
    },
  })

  return [list, end, endOthers]
}

const METHODS = ['password', 'registration', 'social', 'passkey', 'code', 'token']

const shown = {
  id: Type.String(),
  method: orNull(Type.String({ enum: METHODS })),
  created_at: Time,
  last_used_at: Time,
  expires_at: orNull(Time),
  address: orNull(Type.String()),
  user_agent: orNull(Type.String({ maxLength: 200 })),
}

const DevicesReply = Type.Array(Type.Object({ ...shown, current: Type.Boolean() }), {
  $id: 'Logins',
})

export const loginsEntry = ({ listOf }: Devices): DossierEntry => ({
  name: 'logins',
  schema: Type.Array(Type.Object(shown)),
  read: listOf,
})
