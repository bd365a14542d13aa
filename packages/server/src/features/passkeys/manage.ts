import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { problem } from '../../problems.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'

type Needs = { stores: Stores; audit: Audit; outbox: Outbox }

/** What owners do to their passkeys; those of others do not exist for them. */
export function createManage({ stores, audit, outbox }: Needs) {
  return {
    list: (user: User): Promise<Passkey[]> => stores.passkeys.listOfUser(user.id),

    get: async (user: User, id: number): Promise<Passkey> =>
      orNotFound(await stores.passkeys.findOfUser(user.id, id)),

    rename: async (user: User, id: number, name: string): Promise<Passkey> =>
      orNotFound(await stores.passkeys.rename(user.id, id, name)),

    remove: (user: User, id: number): Promise<void> =>
      stores.transaction(async (tx) => {
        // One after the other, or two that are removed at once could be the last two.
        await tx.passkeys.holdOwner(user.id)
        orNotFound(await tx.passkeys.remove(user.id, id))
        if (!(await canStillLogIn(user, tx))) throw problem('last_way_in')
        const details = { passkey: id }
        await audit.record({ userId: user.id, event: 'passkey_removed', details }, tx.audit)
        await outbox.notify(user, 'passkey-removed', tx.outbox)
      }),
  }
}

async function canStillLogIn(user: User, stores: Stores): Promise<boolean> {
  return isUsablePassword(user.password) || (await stores.passkeys.hasAny(user.id))
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw problem('not_found')
  return found
}
