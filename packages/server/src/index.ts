export type { Auth } from './create-auth.ts'
export { createAuth } from './create-auth.ts'
