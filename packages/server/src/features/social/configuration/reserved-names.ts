/** First words of our own paths, in all modules. No provider can have one of these names. */
export const RESERVED_NAMES: readonly string[] = [
  'login',
  'logout',
  'user',
  'email',
  'csrf',
  'password',
  'token',
  'registration',
  'mfa',
  'passkeys',
  'socialaccounts',
  'docs',
  'dev',
  'assets',
  'openapi',
  '.well-known',
]
