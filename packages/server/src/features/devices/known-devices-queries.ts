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
