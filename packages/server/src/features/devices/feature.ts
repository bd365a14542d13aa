import { createKeyedDigest } from '../../crypto/keyed-digest.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import { feature } from '../feature.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Users } from '../users/users.ts'
import { knownLogins } from './answer-device.ts'
import { createDevices } from './devices.ts'
import { devicesEndpoints } from './devices-endpoints.ts'
import { createKnownDevices } from './known-devices.ts'

type Earlier = {
  audit: Audit
  outbox: Outbox
  users: Users
  sessions: Sessions
  tokens: Tokens
  revocation: Revocation
}

export const devicesFeature = feature('devices', (context, earlier: Earlier) => {
  const { settings, secretKey, metrics, http } = context
  const keyedDigest = createKeyedDigest(secretKey, settings.SECRET_KEY_FALLBACKS, 'known-devices')
  const devices = createDevices({ ...context, ...earlier, count: metrics.countEndedLogins })
  const knownDevices = createKnownDevices({
    ...context,
    ...earlier,
    isOn: settings.ACCOUNT.NEW_DEVICE_MAIL,
    keyedDigest,
    count: metrics.countNewDevice,
  })
  return {
    service: { devices, knownDevices },
    endpoints: tagged('Logins', devicesEndpoints({ devices, http })),
    keeps: {
      known: [knownLogins(devices)],
      erase: (user, tx) => knownDevices.forgetUser(user.id, tx),
    },
    sweeps: [{ table: 'known_devices', forget: knownDevices.forgetExpired }],
  }
})
