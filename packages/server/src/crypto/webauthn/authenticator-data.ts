import { endOfItem } from './cbor.ts'

const RP_ID_HASH = 32
const FIXED = RP_ID_HASH + 1 + 4
const AAGUID = 16
const CREDENTIAL_ID_MAX = 1023

const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const ATTESTED = 0x40
const EXTENSIONS = 0x80

/** The encoded public key in the authenticator data of a registration. */
export function attestedKey(data: Uint8Array): Uint8Array<ArrayBuffer> {
  if ((flagsOf(data) & ATTESTED) === 0) throw new Error('there is no credential')
  const start = startOfKey(data)
  const end = endOfItem(data, start)
  refuseLeftovers(data, end)
  return data.slice(start, end)
}

/** The id of the new credential. Call it after `attestedKey`, which checks the form. */
export const attestedCredentialId = (data: Uint8Array): Uint8Array =>
  data.slice(FIXED + AAGUID + 2, startOfKey(data))

/** What the authenticator says about itself and the ceremony. */
export function flagsIn(data: Uint8Array) {
  const flags = flagsOf(data)
  return {
    userVerified: (flags & USER_VERIFIED) !== 0,
    backupEligible: (flags & BACKUP_ELIGIBLE) !== 0,
    backedUp: (flags & BACKED_UP) !== 0,
    signCount: Buffer.from(data).readUInt32BE(RP_ID_HASH + 1),
  }
}

/** A login must not carry a new key. */
export function checkAssertedData(data: Uint8Array): void {
  if ((flagsOf(data) & ATTESTED) !== 0) throw new Error('there is a credential')
  refuseLeftovers(data, FIXED)
}

function flagsOf(data: Uint8Array): number {
  const flags = data[RP_ID_HASH]
  if (flags === undefined || data.length < FIXED) throw new Error('authenticator data is too short')
  return flags
}

function startOfKey(data: Uint8Array): number {
  const start = FIXED + AAGUID
  const [high = 0, low = 0] = data.subarray(start, start + 2)
  const length = high * 256 + low
  if (length === 0 || length > CREDENTIAL_ID_MAX) throw new Error('credential id has a bad length')
  return start + 2 + length
}

/** Only extensions may follow, and only if the flags announce them. */
function refuseLeftovers(data: Uint8Array, start: number): void {
  const end = flagsOf(data) & EXTENSIONS ? endOfItem(data, start) : start
  if (end !== data.length) throw new Error('authenticator data has bytes left over')
}
