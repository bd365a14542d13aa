import { createAuth as create } from './create-auth.ts'
import type { AuthOptions, HostedAuth } from './hosted-auth.ts'
import type { Settings } from './settings.ts'

export type { AuthOptions, HostedAuth as Auth } from './hosted-auth.ts'
export { resolveSettings } from './settings/resolve.ts'
export { SettingsError } from './settings/settings-error.ts'
export type { Settings, SettingsInput } from './settings.ts'

/** A whole service, to be mounted as a Fastify plugin. */
export const createAuth: (settings: Settings, options?: AuthOptions) => HostedAuth = create
