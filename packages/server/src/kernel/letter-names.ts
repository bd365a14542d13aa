/** Every letter of the service. Their words are in `kernel/words/letters.ts`. */
export const LETTER_NAMES = [
  'verify-email',
  'already-registered',
  'change-email',
  'address-wanted',
  'email-change-requested',
  'email-changed',
  'login-code',
  'logins-ended',
  'reset-password',
  'password-changed',
  'account-deleted',
  'mfa-activated',
  'mfa-deactivated',
  'mfa-guessed',
  'recovery-codes-regenerated',
  'api-key-added',
  'passkey-added',
  'passkey-removed',
  'social-account-connected',
  'social-account-disconnected',
  'new-device',
  'account-used',
  'additions-removed',
  'invitation',
] as const

export type LetterName = (typeof LETTER_NAMES)[number]
