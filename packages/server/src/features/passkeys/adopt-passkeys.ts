import { type Adoptable, type Brought, marksByUser, type UserLoss } from '../../core/adopt.ts'
import type { NewCredential } from '../../crypto/webauthn/verify-registration.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/handle.ts'
import { flagOf } from '../../storage/schema.ts'
import { readTransports } from './descriptors.ts'
import { columnsOf } from './passkey-registration.ts'
import {
  addOwnerIfNew,
  addPasskeyIfNew,
  hasPasskeyWithId,
  listPasskeysOf,
  removePasskey,
  renamePasskey,
} from './passkeys-queries.ts'

export type AdoptedPasskeys = {
  /** What authenticators know the user by, in base64url. */
  readonly handle: string
  readonly passkeys: readonly AdoptedPasskey[]
}

export type AdoptedPasskey = {
  readonly id: number
  readonly name: string
  readonly credential: NewCredential
  /** False if `credential` only guesses whether it can be backed up. The first login tells. */
  readonly isBackupKnown: boolean
  readonly isDiscoverable: boolean
  readonly transports: unknown
  readonly createdAt: number | null
  readonly lastUsedAt: number | null
}

type Own = Awaited<ReturnType<typeof listPasskeysOf>>

export const adoptPasskeys: Adoptable<AdoptedPasskeys> = {
  async marks(userIds, tx) {
    const passkeys = await listPasskeysOf(tx, userIds)
    return marksByUser(passkeys, ({ credential_id, name }) => [credential_id, name])
  },

  async put(brought, tx) {
    const userIds = brought.map(({ userId }) => userId)
    const present = await listPasskeysOf(tx, userIds)
    const losses: UserLoss[] = []
    for (const one of brought) {
      const own = present.filter(({ user_id }) => user_id === one.userId)
      losses.push(...(await put(one, own, tx)))
    }
    return losses
  },
}

/** A passkey that stays keeps its counter, which has grown here since. */
async function put({ userId, given }: Brought<AdoptedPasskeys>, own: Own, tx: Tx) {
  const { handle, passkeys } = given
  const stays = new Set(passkeys.map(({ credential }) => credential.credentialId))
  for (const { id, credential_id } of own) {
    if (!stays.has(credential_id)) await removePasskey(tx, userId, id)
  }
  if (passkeys.length > 0) await addOwnerIfNew(tx, { user_id: userId, handle })
  const losses: UserLoss[] = []
  for (const passkey of passkeys) {
    const { name, credential } = passkey
    const known = own.find(({ credential_id }) => credential_id === credential.credentialId)
    if (known) await renamePasskey(tx, userId, known.id, name)
    else if (!(await addPasskeyIfNew(tx, { ...(await rowOf(passkey, tx)), user_id: userId }))) {
      losses.push({ userId, what: `passkey "${name}"`, why: 'another user here has it' })
    }
  }
  return losses
}

async function rowOf(passkey: AdoptedPasskey, tx: Tx) {
  const { id, name, credential, transports, createdAt, lastUsedAt } = passkey
  // Clients keep the id. It is free, unless a passkey was added here before.
  const isFree = id <= ID_MAX && !(await hasPasskeyWithId(tx, id))
  return {
    ...(isFree && { id }),
    name,
    ...columnsOf(credential),
    backup_known: flagOf(passkey.isBackupKnown),
    discoverable: flagOf(passkey.isDiscoverable),
    transports: JSON.stringify(readTransports(transports)),
    created_at: createdAt ?? 0,
    last_used_at: lastUsedAt,
  }
}
