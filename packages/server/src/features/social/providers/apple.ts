import { appleClientSecret } from '../../../crypto/apple-client-secret.ts'
import { at } from '../json.ts'
import { type Profile, readOpenIdClaims } from '../profile.ts'
import type { Provider } from './provider.ts'

/** Apple tells a name only to the front end, and only once: so there is none in the account. */
export const apple: Provider = {
  id: 'apple',
  title: 'Apple',
  scopes: ['email', 'name'],
  site: {
    issuers: ['https://appleid.apple.com'],
    endpoints: {
      token: 'https://appleid.apple.com/auth/token',
      keys: 'https://appleid.apple.com/auth/keys',
    },
  },
  clientAuth: 'client_secret_post',
  clientSecret: ({ clientId, signingKey }, now) =>
    signingKey ? appleClientSecret({ clientId, ...signingKey }, now) : Promise.resolve(''),
  tokenCheck: null,
  readClaims: readAppleClaims,
  readProfile: readAppleClaims,
}

/** Apple writes `email_verified` as a flag or, as its manual says, as the text "true". */
function readAppleClaims(claims: unknown): Profile {
  const profile = readOpenIdClaims(claims)
  const said = at(claims, 'email_verified')
  const isVerified = said === true || said === 'true'
  return { ...profile, address: profile.address && { ...profile.address, isVerified } }
}
