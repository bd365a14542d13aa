/** Loaded on demand, since only social logins need it. */
export const loadIdTokens = () => import('./verify-id-token.ts')
