import type { LoadedSettings } from '../../settings/resolve.ts'
import { loadFor, type SettingsCall } from '../load-settings.ts'
import { holdFreePort } from './listen.ts'

/** A start with loaded settings. */
export type Start = {
  readonly call: SettingsCall
  readonly loaded: LoadedSettings
  /** Releases the port that was held while the settings were loaded. */
  release(): Promise<void>
}

/**
 * With `PORT` 0, the default of `PUBLIC_URL` needs the port before the service is built: links,
 * cookies and passkeys are made for it.
 */
export async function loadWithPort(call: SettingsCall): Promise<Start> {
  const loaded = await loadFor(call)
  const { settings, origins } = loaded
  const isKnown = settings.PORT !== 0 || origins.PUBLIC_URL !== 'default'
  if (isKnown) return { call, loaded, release: async () => {} }
  const { port, release } = await holdFreePort(settings)
  const values = { ...call.values, set: [...call.values.set, `PORT=${port}`] }
  return { call, loaded: await loadFor({ ...call, values }), release }
}
