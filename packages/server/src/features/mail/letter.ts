/** What may be written to a user; the words are in the templates of the same names. */
export type Letter = {
  to: string
  template: LetterName
  /** Names, links and codes that stand in the text. */
  values: Record<string, string>
}

export type LetterName =
  | 'verify-email'
  | 'already-registered'
  | 'reset-password'
  | 'password-changed'
  | 'mfa-activated'
  | 'mfa-deactivated'
  | 'mfa-guessed'
  | 'recovery-codes-regenerated'
  | 'passkey-added'
  | 'passkey-removed'
  | 'social-account-connected'
  | 'social-account-disconnected'
