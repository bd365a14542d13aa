import { type BoundSocket, bindSockets } from '../../server/bound-sockets.ts'
import type { SocketKind } from '../../server/team/calls-of-team.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import { loadFor, type SettingsCall } from '../load-settings.ts'
import { type Address, ownAdminAddress, publicAddress, refusingAt } from './listen.ts'

/** A start with loaded settings, whose addresses are bound. */
export type Start = {
  readonly call: SettingsCall
  readonly loaded: LoadedSettings
  readonly sockets: Readonly<Record<SocketKind, readonly BoundSocket[]>>
}

/**
 * Binds the addresses first, so that one in use stops the start at once. With port 0, the system chooses the
 * port that links, cookies and passkeys are made for.
 */
export async function startBound(
  call: SettingsCall,
  serve: (start: Start) => Promise<void>,
): Promise<void> {
  const loaded = await loadFor(call)
  const { settings } = loaded
  const sockets: Record<SocketKind, BoundSocket[]> = { public: [], admin: [] }
  const bind = (kind: SocketKind, at: Address) =>
    bindSockets(at.host, at.port, sockets[kind]).catch(refusingAt(at))
  try {
    const chosen: string[] = []
    const port = await bind('public', publicAddress(settings))
    if (settings.PORT === 0) chosen.push(`PORT=${port}`)
    const admin = ownAdminAddress(settings)
    const adminPort = admin && (await bind('admin', admin))
    if (admin?.port === 0) {
      chosen.push(`ADMIN_LISTEN=${settings.ADMIN_LISTEN.replace(/0$/, `${adminPort}`)}`)
    }
    const values = { ...call.values, set: [...call.values.set, ...chosen] }
    const isKnown = chosen.length === 0
    await serve({ call, loaded: isKnown ? loaded : await loadFor({ ...call, values }), sockets })
  } finally {
    for (const socket of [...sockets.public, ...sockets.admin]) socket.close()
  }
}
