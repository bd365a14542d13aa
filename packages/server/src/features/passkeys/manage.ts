import type { EveryFeature } from '../../core/every-feature.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db } from '../../storage/handle.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Users } from '../users/users.ts'
import {
  findPasskeyOfUser,
  listPasskeysOfUser,
  removePasskey,
  renamePasskey,
} from './passkeys-queries.ts'

type Needs = {
  db: Db
  users: Users
  everyFeature: EveryFeature
  audit: Audit
  outbox: Outbox
}

/** What users may do with their own passkeys. Passkeys of others are a 404. */
export function createManage({ db, users, everyFeature, audit, outbox }: Needs) {
  return {
    list: (user: User): Promise<Passkey[]> => listPasskeysOfUser(db, user.id),

    get: async (user: User, id: number): Promise<Passkey> =>
      orNotFound(await findPasskeyOfUser(db, user.id, id)),

    rename: async (user: User, id: number, name: string): Promise<Passkey> =>
      orNotFound(await renamePasskey(db, user.id, id, name)),

    remove: (user: User, id: number): Promise<void> =>
      transaction(db, async (tx) => {
        // Locks the user. Otherwise two parallel removals would each see the other passkey as the
        // way in that is left.
        const current = await users.lock(user.id, tx)
        const removed = await removePasskey(tx, user.id, id)
        if (!current || !removed) throw problem('not_found')
        if (!(await everyFeature.hasWayIn(current, tx))) throw problem('passkey_last_way_in')

        const details = { passkey: id }
        await audit.record({ userId: user.id, event: 'passkey_removed', details }, tx)
        await outbox.notify(current, 'passkey-removed', tx)
      }),
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw problem('not_found')
  return found
}
