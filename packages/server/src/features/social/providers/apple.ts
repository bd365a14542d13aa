import { at, type Profile, readOpenIdClaims } from '../profile.ts'
import type { Provider } from './provider.ts'

/**
 * Apple sends the name only to the front end, and only once. So accounts from Apple have no name.
 */
export const apple: Provider = {
  id: 'apple',
  title: 'Apple',
  scopes: ['email', 'name'],
  site: {
    issuers: ['https://appleid.apple.com'],
    endpoints: {
      authorize: 'https://appleid.apple.com/auth/authorize',
      token: 'https://appleid.apple.com/auth/token',
      keys: 'https://appleid.apple.com/auth/keys',
    },
  },
  // Apple refuses any other mode for these scopes, and always sends an ID token.
  redirect: { pkce: false, nonce: true, responseMode: 'form_post' },
  clientAuth: 'client_secret_post',
  async clientSecret({ clientId, signingKey }, now) {
    if (!signingKey) return ''
    // Loaded on demand, like the check of ID tokens: both need jose.
    const { appleClientSecret } = await import('../../../crypto/apple-client-secret.ts')
    return appleClientSecret({ clientId, ...signingKey }, now)
  },
  tokenCheck: null,
  readClaims: readAppleClaims,
  readProfile: readAppleClaims,
}

/** Apple sends `email_verified` as a boolean or, as its manual says, as the text "true". */
function readAppleClaims(claims: unknown): Profile {
  const profile = readOpenIdClaims(claims)
  const said = at(claims, 'email_verified')
  const isVerified = said === true || said === 'true'
  return { ...profile, address: profile.address && { ...profile.address, isVerified } }
}
