import type { Problem } from '../../kernel/problems.ts'

/** What a front end brings from a provider; empty where it brought nothing. */
export type SocialCredentials = {
  accessToken: string
  idToken: string
  code: string
  redirectUri: string
  codeVerifier: string
  nonce: string
}

/** The tokens of a provider (empty for none), from the front end or, for its code, from the provider itself. */
export type ProviderTokens = {
  accessToken: string
  idToken: string
  /** Whether the provider gave them to us: then they are ours beyond doubt. */
  isFromExchange: boolean
}

/** Writes the reason into the log; the answer does not tell it. */
export type Refuse = (reason: string) => Problem

/** What may stand in a header and in a form; tokens and codes of all providers do. */
export const isPlain = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
