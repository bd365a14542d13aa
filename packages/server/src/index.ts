export { type Auth, type AuthOptions, createAuth } from './create-auth.ts'
export { resolveSettings } from './settings/resolve.ts'
export type { Settings, SettingsInput } from './settings.ts'
