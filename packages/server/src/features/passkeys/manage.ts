import { problem } from '../../problems.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import { hasWayIn } from '../login/ways-in.ts'
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
        // One at a time per user: two at once would each take the other for the way that is left.
        const current = await tx.users.lock(user.id)
        const removed = await tx.passkeys.remove(user.id, id)
        if (!current || !removed) throw problem('not_found')
        if (!(await hasWayIn(current, tx))) throw problem('passkey_last_way_in')

        const details = { passkey: id }
        await audit.record({ userId: user.id, event: 'passkey_removed', details }, tx.audit)
        await outbox.notify(current, 'passkey-removed', tx)
      }),
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw problem('not_found')
  return found
}
