import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { type Endpoint, endpoint, forUsers } from '../../http/endpoint.ts'
import { orNothing, scopesOf, text } from '../../http/fields.ts'
import { idIn } from '../../http/request.ts'
import { time } from '../../http/user-field.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { KEY_NAME_MAX } from '../../kernel/lengths.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToOperators } from '../operators/feature.ts'
import { type ApiKey, type ApiKeys, tooManyKeys } from './api-keys.ts'

type Needs = Pick<UpToOperators, 'db'> & { apiKeys: ApiKeys }

/** A key makes no keys, and no restricted credential sees any. */
export function apiKeysEndpoints({ apiKeys, db }: Needs): Endpoint[] {
  const list = endpoint({
    ...forUsers,
    method: 'GET',
    path: 'tokens/',
    operationId: 'listApiKeys',
    summary: 'The keys that the user made for programs, newest first, without their secrets',
    freshness: 'not-needed',
    replies: { 200: Type.Array(Type.Object(shown), { $id: 'ApiKeys' }) },
    handle: async ({ identity }) => (await apiKeys.listOf(identity.user)).map(answerApiKey),
  })

  const create = endpoint({
    ...forUsers,
    method: 'POST',
    path: 'tokens/',
    operationId: 'createApiKey',
    summary: 'Make a key for a program; it is shown this once',
    freshness: 'always-required',
    body: {
      name: text({ max: KEY_NAME_MAX }),
      scopes: { ...scopesOf(apiKeys.scopes), schema: Scopes },
      expires_at: { ...orNothing(time()), schema: TimeOrNull },
    },
    replies: { 201: Type.Object({ ...shown, key: Secret }, { $id: 'NewApiKey' }) },
    refusals: [tooManyKeys, 'verify_email_first'],
    faults: { expires_at: ['expires_in_the_past'] },
    check: async ({ body }) => apiKeys.check({ expiresAt: body.expires_at ?? null }),
    async handle({ identity, body: { expires_at: expiresAt = null, ...given }, reply }) {
      const { key, secret } = await apiKeys.create(identity, { ...given, expiresAt })
      reply.status(201)
      return { ...answerApiKey(key), key: secret }
    },
  })

  const revoke = endpoint({
    ...forUsers,
    method: 'DELETE',
    path: 'tokens/:id/',
    operationId: 'revokeApiKey',
    summary: 'Revoke a key; the next request with it is refused',
    freshness: 'required',
    replies: { 204: null },
    async handle({ identity: { user }, params }) {
      const id = idIn(params)
      await transaction(db, (tx) => apiKeys.revoke(user, id, null, tx))
    },
  })

  return [list, create, revoke]
}

const TimeOrNull = orNull(Time)
/** Scopes differ from site to site, so the client has one type for all of them. */
const Scopes = Type.Array(Type.String(), { minItems: 1, examples: [['user:read']] })
const Secret = Type.String({ examples: ['lk_…'] })

const shown = {
  id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['backup script'] }),
  scopes: Type.Array(Type.String(), { examples: [['user:read']] }),
  created_at: Time,
  expires_at: TimeOrNull,
  last_used_at: TimeOrNull,
}

/** A key in the answers to its user and to operators. */
export const ApiKeyShown = Type.Object(shown, { $id: 'ApiKey' })

export const answerApiKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  scopes: [...key.scopes],
  created_at: isoTime(key.created_at),
  expires_at: isoTimeOrNull(key.expires_at),
  last_used_at: key.last_used_at === 0 ? null : isoTime(key.last_used_at),
})

export const apiKeysEntry = ({ listOf }: ApiKeys): DossierEntry => ({
  name: 'api_keys',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await listOf(user)).map(answerApiKey),
})
