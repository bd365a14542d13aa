import type { Problem } from '../../kernel/problems.ts'

/** What a front end got from a provider; empty texts for what is missing. */
export type SocialCredentials = {
  accessToken: string
  idToken: string
  code: string
  redirectUri: string
  codeVerifier: string
  nonce: string
}

/**
 * Tokens of a provider, empty if missing: from the front end, or from the provider in exchange for
 * a code.
 */
export type ProviderTokens = {
  accessToken: string
  idToken: string
  /** Whether the provider gave them to us directly. Then they are certainly made for us. */
  isFromExchange: boolean
}

/** Logs the reason. The answer does not contain it. */
export type Refuse = (reason: string) => Problem

/** Whether a text is safe in a header and in a form. Tokens and codes of all providers are. */
export const isPlain = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
