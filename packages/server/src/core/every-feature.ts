import type { TSchema } from '@sinclair/typebox'
import { nullIfRefused } from '../kernel/problems.ts'
import type { Handle, Tx } from '../storage/handle.ts'
import {
  deleteRowsOfUser,
  deleteUnprovedRows,
  type OwnedTable,
  type WayInTable,
} from '../storage/rows-of-user.ts'
import type { User } from '../storage/schema.ts'
import type { Identity } from './identity.ts'
import type { Sealed } from './sealed.ts'

/** One entry in the dossier, which is everything that the service stores about a user. */
export type DossierEntry = {
  readonly name: string
  readonly schema: TSchema
  /** Without secrets and digests. Of a list, at most the newest `most`. */
  read(user: User, most: number): Promise<unknown>
}

/** What a feature stores about users: how they can read it, and how it is deleted with them. */
export type Keeps = {
  readonly dossier?: readonly DossierEntry[]
  /** Tables whose rows of the user are deleted. */
  readonly rows?: readonly OwnedTable[]
  /** Deletes everything else. The row of the user is locked, and may already be deleted. */
  erase?(user: User, tx: Tx): Promise<unknown>
}

/** What one feature contributes to tasks that no single feature owns. */
export type Part = {
  /** Whether the user could log in with this feature. */
  wayIn?(user: User, within: Handle): Promise<boolean>
  /**
   * A table of ways in. Rows that were added while the address of the user was unverified are
   * deleted when it is verified. A second factor stays: it is not a way in.
   */
  waysIn?: WayInTable
  /** The ids of rows of `waysIn` that stay even so, since they are the second factor of the user. */
  factors?(user: User, tx: Tx): Promise<readonly number[]>
  /**
   * Runs when all other logins of the user end, and when every credential is revoked. Ends
   * everything that one of these logins may have started.
   */
  loginsEnded?(userId: number, tx: Tx): Promise<unknown>
  /** Runs when every credential of the user is revoked. */
  revoked?(userId: number, tx: Tx): Promise<unknown>
  /**
   * Whether the credential of a request is still valid. Undefined if it belongs to another feature.
   * The transaction holds the user's row.
   */
  stillValid?(identity: Identity, tx: Tx): Promise<boolean> | undefined
  /** Required of every feature that stores anything about a user, even a counter. */
  keeps?: Keeps
  /** The sealed values of the feature. All are resealed when the key changes. */
  sealed?: readonly Sealed[]
  /**
   * Finds the owner of a credential. Returns null or refuses if it is void, or not of this feature.
   */
  recognise?(credential: string): Promise<Identity | null>
}

export type EveryFeature = ReturnType<typeof askEvery>

/** Asks all features, including those that are added to the list later. */
export function askEvery(parts: readonly Part[]) {
  return {
    /**
     * Whether the user can still log in. Ask inside the transaction that removes a way in, so that
     * the last one is never removed.
     */
    async hasWayIn(user: User, tx: Tx): Promise<boolean> {
      for (const { wayIn } of parts) if (await wayIn?.(user, tx)) return true
      return false
    },

    /** Returns how many rows of each table it removed. */
    async removeUnproved(user: User, tx: Tx): Promise<Record<string, number>> {
      const removed: Record<string, number> = {}
      for (const { waysIn, factors } of parts) {
        if (!waysIn) continue
        const kept = (await factors?.(user, tx)) ?? []
        removed[waysIn] = await deleteUnprovedRows(tx, waysIn, user.id, kept)
      }
      return removed
    },

    /** Undefined if no feature knows the credential: it is a token of another service. */
    async stillValid(identity: Identity, tx: Tx): Promise<boolean | undefined> {
      for (const { stillValid } of parts) {
        const isValid = await stillValid?.(identity, tx)
        if (isValid !== undefined) return isValid
      }
      return undefined
    },

    async loginsEnded(userId: number, tx: Tx): Promise<void> {
      for (const { loginsEnded } of parts) await loginsEnded?.(userId, tx)
    },

    async revoked(userId: number, tx: Tx): Promise<void> {
      for (const { revoked } of parts) await revoked?.(userId, tx)
    },

    dossier: (): DossierEntry[] => parts.flatMap(({ keeps }) => keeps?.dossier ?? []),

    /** In reverse order, since each feature builds on those before it. */
    async erase(user: User, tx: Tx): Promise<void> {
      for (const { keeps } of parts.toReversed()) {
        for (const table of keeps?.rows ?? []) await deleteRowsOfUser(tx, table, user.id)
        await keeps?.erase?.(user, tx)
      }
    },

    sealed: (): Sealed[] => parts.flatMap(({ sealed }) => sealed ?? []),

    /** Finds the owner of a credential. Returns null if it is void or not a credential. */
    async recognise(credential: string): Promise<Identity | null> {
      for (const { recognise } of parts) {
        const identity = await recognise?.(credential).catch(nullIfRefused)
        if (identity) return identity
      }
      return null
    },
  }
}
