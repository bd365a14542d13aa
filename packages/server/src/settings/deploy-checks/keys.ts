import { isShared } from '../../crypto/jwt/algorithms.ts'
import type { Check } from './check.ts'

const isGuessable = (key: string): boolean =>
  key.length < 32 ||
  new Set(key).size < 10 ||
  /^django-insecure-|change.?me|secret|password/i.test(key)

const NEW_KEY = 'give at least 32 random characters, such as "openssl rand -hex 32" prints'
const GUESSABLE = 'can be guessed, and whoever has it can forge any credential'

/** What can be guessed. */
export const keys: readonly Check[] = [
  {
    setting: 'SECRET_KEY',
    unsafe: ({ SECRET_KEY }) => SECRET_KEY !== null && isGuessable(SECRET_KEY),
    finding: GUESSABLE,
    mend: `${NEW_KEY}, and keep the old one in SECRET_KEY_FALLBACKS for a while`,
  },
  {
    setting: 'SIMPLE_JWT.SIGNING_KEY',
    unsafe: ({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY } }) =>
      isShared(ALGORITHM) && SIGNING_KEY !== null && isGuessable(SIGNING_KEY),
    finding: GUESSABLE,
    mend: NEW_KEY,
  },
  {
    setting: 'PASSWORD_HASHERS',
    unsafe: ({ PASSWORD_HASHERS: [first] }) => first === 'pbkdf2_sha1' || first === 'bcrypt',
    finding: 'new passwords are hashed by a scheme of the past',
    mend: 'put argon2 first; older hashes go on working and are renewed at login',
  },
]
