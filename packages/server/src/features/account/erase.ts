import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { causedBy, type Operator } from '../audit/audit.ts'
import type { UpToSocial } from '../social/feature.ts'
import { keepSuperuser } from '../users/superusers.ts'

type Erase = ReturnType<typeof createErase>

/** Locks the row of the user. Without a row, nobody is deleted, and the result is false. */
type Choose = (tx: Tx) => Promise<User | null | undefined>

/**
 * The only way to delete an account. Every feature deletes what it stores about the user. Two things
 * remain, in the files of the database, too: the last letter, sealed, until it is sent, and an audit
 * event with the pk and who deleted the account. The pk is never used again.
 */
export function createErase(house: UpToSocial) {
  const { db, log, metrics, everyFeature, audit, outbox, events, emptyJournal } = house

  /**
   * Deletes the account for an operator or, if that is null, for its user. With `force`, deletes even
   * the last active superuser.
   */
  return async (choose: Choose, operator: Operator | null, { force = false } = {}) => {
    const isErased = await transaction(db, async (tx) => {
      const user = await choose(tx)
      if (!user) return false
      if (!force) await keepSuperuser(user, tx)
      await everyFeature.erase(user, tx)
      await outbox.sayFarewell(user, tx)
      const { id: userId, uuid } = user
      await audit.record({ userId, uuid, event: 'user_deleted', ...causedBy(operator) }, tx)
      await events.note('deleted', user, { by: operator ? 'operator' : 'user' }, tx)
      return true
    })
    if (!isErased) return false
    metrics.countDeletion()
    // The account is gone, so a failure here is no failure of the request. Every sweep tries again.
    await emptyJournal().catch((error: unknown) =>
      log.warn({ err: error }, 'the journal of the database could not be emptied'),
    )
    return true
  }
}

export type Leaving = ReturnType<typeof createLeaving>

/** Users prove with everything they have that they want to delete their account. */
type Proofs = { password?: string | undefined; code?: string | undefined }

/** Lets users delete their own account. */
export function createLeaving(house: UpToSocial & { erase: Erase }) {
  const { users, mfa, ownPassword, erase } = house

  return {
    /**
     * Returns the faults of the proofs. A missing code is one. `leave` checks a given code, after the
     * password was right: a wrong password must neither spend a code nor tell whether it is right.
     */
    async check({ user }: Identity, proofs: Proofs, turn: Turn): Promise<Record<string, Fault[]>> {
      const isCodeMissing = proofs.code === undefined && (await mfa.isOn(user.id))
      const wrong = await ownPassword.faultsOf(user, proofs.password, turn)
      return { password: wrong, code: isCodeMissing ? [fault('required')] : [] }
    },

    /** Of parallel requests exactly one deletes the account. */
    async leave(identity: Identity, { code = '' }: Proofs, address: string): Promise<void> {
      const isDeleted = await erase(async (tx) => {
        const current = await users.stillSignedIn(identity, tx)
        const given = { code, address, purpose: 'leave' } as const
        return (await mfa.accepts(current, given, tx)) ? current : null
      }, null)
      if (!isDeleted) throw problem('mfa_code_invalid')
    },
  }
}
