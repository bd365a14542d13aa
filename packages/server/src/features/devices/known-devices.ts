import type { Device } from '../../core/identity.ts'
import { createKeyedDigest } from '../../crypto/digests.ts'
import { DAY, isoTime } from '../../kernel/clock.ts'
import { readUserAgent } from '../../kernel/user-agent.ts'
import type { Tx } from '../../storage/handle.ts'
import { keepYoungest } from '../../storage/rows-of-user.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { UpToTokens } from '../tokens/feature.ts'
import { addDevice, hasDevices, renewDevice } from './known-devices-queries.ts'

/** After this time without a login, a device is new again. */
const KEEP_FOR = 365 * DAY
/** Far more than a person has. Without a bound, a thief of a password could fill the database. */
const KNOWN_MAX = 100

/**
 * Tells users of logins from devices that they have not used before. A device is a browser, whatever
 * its version, in a network. Only a keyed digest of it is stored, which outlives the login.
 */
export function createKnownDevices(house: UpToTokens) {
  const { settings, secretKey, outbox, audit, clock, metrics } = house
  const keyedDigest = createKeyedDigest(secretKey, settings.SECRET_KEY_FALLBACKS, 'known-devices')

  return {
    /** Call it in the transaction of the login, which holds the user's row. */
    async noteLogin(user: User, device: Device, tx: Tx): Promise<void> {
      if (!settings.ACCOUNT.NEW_DEVICE_MAIL) return
      const now = clock.now()
      const name = nameOf(user, device)
      const current = { digest: keyedDigest.of(name), expires_at: now + KEEP_FOR }
      // A digest under a former key is replaced by one under the current key.
      for (const digest of keyedDigest.allOf(name)) {
        if (await renewDevice(tx, digest, current)) return
      }

      // The first device is not reported: the user has just registered, or the setting is new.
      const isFirst = !(await hasDevices(tx, user.id))
      await addDevice(tx, { ...current, user_id: user.id })
      await keepYoungest(tx, 'known_devices', user.id, KNOWN_MAX)
      if (isFirst) return
      await audit.record({ userId: user.id, event: 'new_device' }, tx)
      // The mail does not quote the user agent, since an attacker can choose it.
      const { browser = '', system = '' } = readUserAgent(device.userAgent)
      const values = { time: isoTime(now), address: device.address, browser, system }
      await outbox.notify(user, 'new-device', tx, values)
      afterCommit(tx, metrics.countNewDevice)
    },
  }
}

const nameOf = ({ id }: User, { address, userAgent }: Device): string =>
  [id, networkOf(address), withoutVersions(userAgent)].join('\n')

/** An update makes no new device: `Chrome/126.0.0.0` and `Android 14` lose their numbers. */
const withoutVersions = (userAgent: string): string =>
  userAgent.replace(/\/[^\s;)]*|\b\d+(?:[._]\d+)+|(?<=Android )\d+/g, '')

/**
 * The part of an address that stays when a provider gives its customer another one: half of an IPv4
 * address, a quarter of an IPv6 address.
 */
function networkOf(address: string): string {
  const separator = address.includes(':') ? ':' : '.'
  return address.split(separator).slice(0, 2).join(separator)
}
