import type { Identity } from '../../core/identity.ts'
import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { problem } from '../../kernel/problems.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { createCeremonies, createRelyingParty } from './ceremonies.ts'
import { createPasskeyLogin } from './passkey-login.ts'
import { createPasskeyRegistration } from './passkey-registration.ts'
import {
  findPasskeyOfUser,
  hasAnyPasskey,
  hasPasskey,
  listPasskeysOfUser,
  removePasskey,
  renamePasskey,
} from './passkeys-queries.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

/** A passkey of somebody else is a 404, like one that does not exist. */
export function createPasskeys(house: UpToMfa) {
  const { db, users, mfa, adminSessions, operatorPasskey, everyFeature, audit, outbox } = house
  const rp = createRelyingParty(house.settings)
  const ceremonies = createCeremonies({ ...house, lifetimeMs: rp.timeoutMs })
  const needs = { ...house, rp, ceremonies }

  return {
    ...createPasskeyRegistration(needs),
    ...createPasskeyLogin(needs),

    list: (user: User): Promise<Passkey[]> => listPasskeysOfUser(db, user.id),

    get: async (user: User, id: number): Promise<Passkey> =>
      orNotFound(await findPasskeyOfUser(db, user.id, id)),

    rename: async (user: User, id: number, name: string): Promise<Passkey> =>
      orNotFound(await renamePasskey(db, user.id, id, name)),

    remove: (identity: Identity, id: number): Promise<void> =>
      transaction(db, async (tx) => {
        const { user } = identity
        // The lock stops two parallel removals from each seeing the other passkey as the way in.
        const current = await users.stillSignedIn(identity, tx)
        await operatorPasskey.mustBeUsed(current, identity, tx)
        if (!(await removePasskey(tx, user.id, id))) throw problem('not_found')
        if (!(await everyFeature.hasWayIn(current, tx))) throw problem('passkey_last_way_in')
        await wasRemoved(current, id, tx)
        await outbox.notify(current, 'passkey-removed', tx)
      }),

    /**
     * For operators who have lost the passkey that is their only factor. Returns whether it was. All
     * verified passkeys go, since each of them would be needed for the next login to the admin.
     */
    async reset(user: User, operator: Operator, tx: Tx): Promise<boolean> {
      if (!(await operatorPasskey.isNeeded(user, tx))) return false
      for (const { id } of await verifiedOf(user, tx)) {
        await removePasskey(tx, user.id, id)
        await wasRemoved(user, id, tx, operator)
      }
      await outbox.notify(user, 'passkey-removed', tx)
      return true
    },

    /**
     * The passkeys that an operator needs for the admin, and that a proof of the address must leave:
     * without them, the mailbox alone would open the admin. Those that were added before the address
     * was proved are needed only if there are no others.
     */
    async onlyFactors(user: User, tx: Tx): Promise<number[]> {
      if (!(await operatorPasskey.isNeeded(user, tx))) return []
      const verified = await verifiedOf(user, tx)
      const hasOther = verified.some(({ added_unproved }) => added_unproved === 0)
      return hasOther ? [] : verified.map(({ id }) => id)
    },

    hasAny: (user: User, within: Handle): Promise<boolean> => hasPasskey(within, user.id),

    /** Loads what checks passkeys, if there are any: it takes more memory than everything else. */
    loadIfUsed: async (): Promise<void> => {
      if (await hasAnyPasskey(db)) await loadVerifiers()
    },

    forgetCeremonies: (user: User, tx: Tx) => ceremonies.forgetUser(user.id, tx),
  }

  async function verifiedOf({ id }: User, tx: Tx): Promise<Passkey[]> {
    return (await listPasskeysOfUser(tx, id)).filter(({ user_verified }) => user_verified === 1)
  }

  async function wasRemoved(
    { id: userId }: User,
    passkey: number,
    tx: Tx,
    operator: Operator | null = null,
  ): Promise<void> {
    // One of them may have been opened with this passkey.
    await adminSessions.endAllOf(userId, tx)
    await mfa.endChallenges(userId, 'passkey', tx)
    const details = { passkey }
    await audit.record({ userId, event: 'passkey_removed', details, operator }, tx)
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw problem('not_found')
  return found
}
