import type { Identity } from '../../core/identity.ts'
import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { problem } from '../../kernel/problems.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { Passkey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToMfa } from '../mfa/feature.ts'
import { createCeremonies } from './ceremonies.ts'
import { createPasskeyLogin } from './passkey-login.ts'
import { createPasskeyRegistration } from './passkey-registration.ts'
import { createPasskeySignup } from './passkey-signup.ts'
import {
  findPasskeyOfUser,
  hasAnyPasskey,
  hasPasskey,
  listPasskeysOfUser,
  removePasskey,
  renamePasskey,
} from './passkeys-queries.ts'
import { createRelyingParty } from './relying-party.ts'

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
    ...createPasskeySignup(needs),

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

        // One of them may have been opened with this passkey.
        await adminSessions.endAllOf(user.id, tx)
        await mfa.endChallenges(user.id, 'passkey', tx)
        const details = { passkey: id }
        await audit.record({ userId: user.id, event: 'passkey_removed', details }, tx)
        await outbox.notify(current, 'passkey-removed', tx)
      }),

    hasAny: (user: User, within: Handle): Promise<boolean> => hasPasskey(within, user.id),

    /** Loads what checks passkeys, if there are any: it takes more memory than all else together. */
    loadIfUsed: async (): Promise<void> => {
      if (await hasAnyPasskey(db)) await loadVerifiers()
    },

    forgetCeremonies: (user: User, tx: Tx) => ceremonies.forgetUser(user.id, tx),
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw problem('not_found')
  return found
}
