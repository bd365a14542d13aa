import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToTokens } from '../tokens/feature.ts'
import { createDevices } from './devices.ts'
import { devicesEndpoints, loginsEntry } from './devices-endpoints.ts'
import { createKnownDevices } from './known-devices.ts'

export const devicesFeature = feature((house: UpToTokens) => {
  const devices = createDevices(house)
  const knownDevices = createKnownDevices(house)
  return {
    offers: { devices, knownDevices },
    endpoints: tagged('Logins', devicesEndpoints({ ...house, devices })),
    keeps: { dossier: [loginsEntry(devices)], rows: ['known_devices'] },
    sweeps: [{ table: 'known_devices', key: 'digest', time: 'expires_at' }],
  }
})

export type UpToDevices = UpToTokens & Offers<typeof devicesFeature>
