import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Handle } from '../../storage/handle.ts'
import { keepYoungest } from '../../storage/keep-youngest.ts'
import { change, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

/** Returns whether there was such a device. */
export const renewDevice = whether((db, digest: string, renewed: Renewed) =>
  db.updateTable('known_devices').set(renewed).where('digest', '=', digest).returning('digest'),
)

type Renewed = Pick<Database['known_devices'], 'digest' | 'expires_at'>

export const hasDevices = whether((db, userId: number) =>
  db.selectFrom('known_devices').select('digest').where('user_id', '=', userId).limit(1),
)

export const addDevice = change((db, device: Database['known_devices']) =>
  db.insertInto('known_devices').values(device),
)

export const keepYoungestDevices = (handle: Handle, userId: number, count: number): Promise<void> =>
  keepYoungest(handle, 'known_devices', userId, count)

export const forgetDevicesOfUser = change((db, userId: number) =>
  db.deleteFrom('known_devices').where('user_id', '=', userId),
)

export const forgetExpiredDevices = (handle: Handle, now: number, most: number): Promise<number> =>
  deleteOldest(handle, { table: 'known_devices', key: 'digest', time: 'expires_at' }, now, most)
