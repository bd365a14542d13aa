/** First words of paths that are ours, in whatever modules: no provider can have one of them. */
export const RESERVED_NAMES: readonly string[] = [
  'login',
  'logout',
  'user',
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
