import { importPKCS8, SignJWT } from 'jose'
import { MINUTE, SECOND } from '../kernel/clock.ts'

type SigningKey = { clientId: string; teamId: string; keyId: string; pem: string }

const AUDIENCE = 'https://appleid.apple.com'
const LIFETIME = 5 * MINUTE

/** Apple issues no client secret. The client signs a short-lived one for each request. */
export async function appleClientSecret(
  { clientId, teamId, keyId, pem }: SigningKey,
  now: number,
): Promise<string> {
  return new SignJWT({ sub: clientId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setAudience(AUDIENCE)
    .setIssuedAt(Math.floor(now / SECOND))
    .setExpirationTime(Math.floor((now + LIFETIME) / SECOND))
    .sign(await importPKCS8(pem, 'ES256'))
}
