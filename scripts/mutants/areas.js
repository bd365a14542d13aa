/**
 * What carries the security of the product, and the tests that guard it. Sources are below
 * `packages/server/src`, tests below `packages/server/test`. A test that never reaches a mutant is
 * not run for it, so the lists of tests may be generous.
 */
export const areas = {
  gate: {
    shows: 'every login ends here: who is let in, and who is asked for a second factor',
    sources: ['features/login/gate.ts', 'features/mfa/challenges.ts'],
    tests: [
      'product/mfa/verify',
      'product/mfa/dead-challenges',
      'product/mfa/guessing',
      'product/mfa/open-challenges',
      'product/mfa/races',
      'product/mfa/audit',
      'product/voided-meanwhile',
      'product/hooks/signing-in',
      'product/impersonation',
    ],
  },
  login: {
    shows: 'a password logs in, a logout ends what came along',
    sources: ['features/login/login.ts'],
    tests: [
      'product/login',
      'product/logout',
      'product/failed-logins',
      'product/abandoned-login',
      'product/hash-costs',
      'product/jwt/logout',
      'product/tokens/key-per-login',
      'product/impersonation',
      'http/login-field-errors',
      'http/captcha',
    ],
  },
  'one-shot': {
    shows: 'codes, links, invitations, recovery codes and refresh tokens work once',
    sources: [
      'features/codes/codes-queries.ts',
      'features/mfa/mfa-queries.ts',
      'features/jwt/spent-tokens.ts',
      'features/jwt/spent-tokens-queries.ts',
      'features/registration/email-keys-queries.ts',
      'features/signup/invitations-queries.ts',
    ],
    tests: [
      'product/codes/*',
      'product/mfa/*',
      'product/jwt/*',
      'product/registration/*',
      'product/signup/*',
      'product/addresses/*',
    ],
  },
  limits: {
    shows: 'limits of attempts and mails',
    sources: ['features/limits/limits.ts', 'features/limits/limits-queries.ts'],
    tests: [
      'product/throttle',
      'product/client-limits',
      'product/failed-logins',
      'product/mail/*',
      'product/passwords/*',
      'product/sweep',
    ],
  },
  revocation: {
    shows: 'logins and sessions end everywhere',
    sources: [
      'features/tokens/revocation.ts',
      'features/sessions/sessions.ts',
      'features/sessions/start-logins.ts',
      'features/sessions/logins-queries.ts',
    ],
    tests: [
      'product/devices/*',
      'product/logout',
      'product/session',
      'product/token',
      'product/passwords/*',
      'product/jwt/*',
      'product/impersonation',
    ],
  },
  csrf: {
    shows: 'tokens of forms and cookies',
    sources: ['http/csrf.ts'],
    tests: [
      'http/answers/csrf',
      'http/front-ends/csrf-form-field',
      'http/jwt/cookies',
      'http/identify/every-server',
      'product/keys/rotation',
      'product/admin/sessions',
      '../../django/test/product/again',
    ],
  },
  jwt: {
    shows: 'signatures, claims, refreshes and reuse',
    sources: [
      'crypto/jwt/claims.ts',
      'crypto/jwt/compact.ts',
      'crypto/jwt/jwt.ts',
      'features/jwt/pairs.ts',
      'features/jwt/refresh-tokens.ts',
      'features/jwt/token-reader.ts',
    ],
    tests: ['crypto/jwt-differential', 'product/jwt/*', 'http/jwt/*'],
  },
  restricted: {
    shows: 'credentials that may do little: keys of programs, impersonations, stale logins',
    sources: [
      'http/authenticate.ts',
      'http/freshness.ts',
      'features/keys/api-keys.ts',
      'features/keys/api-keys-queries.ts',
      'features/users/required-factor.ts',
    ],
    tests: [
      'product/tokens/*',
      'product/mfa/required',
      'product/impersonation',
      'product/freshness/*',
      'http/freshness/*',
      'product/identify/*',
    ],
  },
}
