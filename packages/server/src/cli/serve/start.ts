import type { LoadedSettings } from '../../settings/resolve.ts'
import { loadFor, type SettingsCall } from '../load-settings.ts'
import { type HeldPort, holdFreePort, ownAdminAddress } from './listen.ts'

/** A start with loaded settings. */
export type Start = {
  readonly call: SettingsCall
  readonly loaded: LoadedSettings
  /** Releases the port that was held while the settings were loaded. */
  release(): Promise<void>
}

/**
 * With port 0, the defaults of `PUBLIC_URL` and `ADMIN_PUBLIC_URL` need the port before the service is built: links,
 * cookies and passkeys are made for it.
 */
export async function loadWithPort(call: SettingsCall): Promise<Start> {
  const loaded = await loadFor(call)
  const { settings, origins } = loaded
  const held: HeldPort[] = []
  const set: string[] = []
  if (settings.PORT === 0 && origins.PUBLIC_URL === 'default') {
    const one = await holdFreePort(settings.HOST)
    held.push(one)
    set.push(`PORT=${one.port}`)
  }
  const admin = ownAdminAddress(settings)
  if (admin?.port === 0 && origins.ADMIN_PUBLIC_URL === 'default') {
    const one = await holdFreePort(admin.host)
    held.push(one)
    set.push(`ADMIN_LISTEN=${settings.ADMIN_LISTEN.replace(/:0$/, `:${one.port}`)}`)
  }
  const release = async () => void (await Promise.all(held.map((one) => one.release())))
  if (set.length === 0) return { call, loaded, release }
  const values = { ...call.values, set: [...call.values.set, ...set] }
  return { call, loaded: await loadFor({ ...call, values }), release }
}
