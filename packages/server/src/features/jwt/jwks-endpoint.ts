import { Type } from '@sinclair/typebox'
import type { JwkSet } from '../../crypto/jwt/keys.ts'
import { endpoint } from '../../http/endpoint.ts'

const Jwk = Type.Record(Type.String(), Type.String())

/** Public keys change rarely, so everybody may cache them. */
const CACHED = 'public, max-age=300'

export const jwksEndpoint = (publicKeys: JwkSet) =>
  endpoint({
    method: 'GET',
    path: '.well-known/jwks.json',
    operationId: 'getPublicKeys',
    summary: 'Get the public keys that check tokens of this service, as a JWK set',
    access: 'public',
    throttle: 'none',
    replies: { 200: Type.Object({ keys: Type.Array(Jwk) }, { $id: 'PublicKeys' }) },
    async handle({ reply }) {
      reply.header('Cache-Control', CACHED)
      return publicKeys as { keys: Record<string, string>[] }
    },
  })
