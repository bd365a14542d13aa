import { isShared, sharedKeyBytes } from '../../crypto/jwt/algorithms.ts'
import type { Check } from '../finding.ts'

/** A key that is too short stops the start. */
const isGuessable = (key: string): boolean =>
  new Set(key).size < 10 || /^django-insecure-|change.?me|secret|password/i.test(key)

const NEW_KEY =
  'set it to at least 32 random characters, such as the output of "openssl rand -hex 32"'
const GUESSABLE = 'the key can be guessed, and anybody who knows it can forge credentials'

/** The key that signs tokens has fewer bytes than RFC 7518 requires. */
export const SHORT_SIGNING_KEY: Check = {
  about: 'SIMPLE_JWT.SIGNING_KEY',
  says: 'is shorter than the hash of SIMPLE_JWT.ALGORITHM (SECRET_KEY signs if it is not set); RFC 7518 asks for 48 bytes with HS384 and 64 with HS512',
  mend: 'set it to 64 characters, such as the output of "openssl rand -hex 32"; this voids existing tokens',
  applies({ SECRET_KEY, SIMPLE_JWT, REST_AUTH }) {
    const { ALGORITHM, SIGNING_KEY } = SIMPLE_JWT
    const key = SIGNING_KEY ?? SECRET_KEY
    if (!REST_AUTH.USE_JWT || !isShared(ALGORITHM) || key === null) return false
    return Buffer.byteLength(key) < sharedKeyBytes(ALGORITHM)
  },
}

/** Keys and hashes that can be guessed. */
export const keys: readonly Check[] = [
  {
    about: 'SECRET_KEY',
    applies: ({ SECRET_KEY }) => SECRET_KEY !== null && isGuessable(SECRET_KEY),
    says: GUESSABLE,
    mend: `${NEW_KEY}, and move the old one to SECRET_KEY_FALLBACKS until it is no longer needed`,
  },
  {
    about: 'SIMPLE_JWT.SIGNING_KEY',
    applies: ({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY } }) =>
      isShared(ALGORITHM) && SIGNING_KEY !== null && isGuessable(SIGNING_KEY),
    says: GUESSABLE,
    mend: NEW_KEY,
  },
  SHORT_SIGNING_KEY,
  {
    about: 'PASSWORD_HASHERS',
    applies: ({ PASSWORD_HASHERS: [first] }) => first === 'pbkdf2_sha1' || first === 'bcrypt',
    says: 'new passwords are hashed with an outdated algorithm',
    mend: 'put argon2 first; older hashes still work and are replaced at the next login',
  },
]
