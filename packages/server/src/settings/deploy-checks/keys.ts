import { isShared, sharedKeyBytes } from '../../crypto/jwt/algorithms.ts'
import type { Settings } from '../settings.ts'
import type { Check } from './check.ts'

const isGuessable = (key: string): boolean =>
  key.length < 32 ||
  new Set(key).size < 10 ||
  /^django-insecure-|change.?me|secret|password/i.test(key)

const NEW_KEY =
  'set it to at least 32 random characters, such as the output of "openssl rand -hex 32"'
const GUESSABLE = 'the key can be guessed, and anybody who knows it can forge credentials'

/** Whether the key that signs tokens has fewer bytes than RFC 7518 requires. */
export function isShortSigningKey({ SECRET_KEY, SIMPLE_JWT, REST_AUTH }: Settings): boolean {
  const { ALGORITHM, SIGNING_KEY } = SIMPLE_JWT
  const key = SIGNING_KEY ?? SECRET_KEY
  if (!REST_AUTH.USE_JWT || !isShared(ALGORITHM) || key === null) return false
  return Buffer.byteLength(key) < sharedKeyBytes(ALGORITHM)
}

export const SHORT_SIGNING_KEY =
  'is shorter than the hash of SIMPLE_JWT.ALGORITHM (SECRET_KEY signs if it is not set); RFC 7518 asks for 48 bytes with HS384 and 64 with HS512'

/** Keys and hashes that can be guessed. */
export const keys: readonly Check[] = [
  {
    setting: 'SECRET_KEY',
    unsafe: ({ SECRET_KEY }) => SECRET_KEY !== null && isGuessable(SECRET_KEY),
    finding: GUESSABLE,
    mend: `${NEW_KEY}, and move the old one to SECRET_KEY_FALLBACKS until it is no longer needed`,
  },
  {
    setting: 'SIMPLE_JWT.SIGNING_KEY',
    unsafe: ({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY } }) =>
      isShared(ALGORITHM) && SIGNING_KEY !== null && isGuessable(SIGNING_KEY),
    finding: GUESSABLE,
    mend: NEW_KEY,
  },
  {
    setting: 'SIMPLE_JWT.SIGNING_KEY',
    unsafe: isShortSigningKey,
    finding: SHORT_SIGNING_KEY,
    mend: 'set it to 64 characters, such as the output of "openssl rand -hex 32"; this voids existing tokens',
  },
  {
    setting: 'PASSWORD_HASHERS',
    unsafe: ({ PASSWORD_HASHERS: [first] }) => first === 'pbkdf2_sha1' || first === 'bcrypt',
    finding: 'new passwords are hashed with an outdated algorithm',
    mend: 'put argon2 first; older hashes still work and are replaced at the next login',
  },
]
