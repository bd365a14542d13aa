/** Only who logs in elsewhere needs it, and nothing needs it to start. */
export const loadIdTokens = () => import('./verify-id-token.ts')
