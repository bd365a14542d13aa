import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import { isOperator } from '../operators/admin-sessions.ts'
import { keepSuperuser } from '../users/superusers.ts'
import { type Actor, operatorOf } from './actor.ts'
import { type Ruled, refusalFor, type Target, type Touched } from './rules.ts'

/** What the rules ask about looking at accounts, and at how the service is doing. */
export const LOOK = { scope: 'read', needs: 'staff', changes: false } as const satisfies Ruled
/** What the rules ask about every change of an account. */
export const CHANGE = { scope: 'users', needs: 'staff', changes: true } as const satisfies Ruled
/** Changes that people may make to their own account as well. */
export const OWN_CHANGE = { ...CHANGE, onOneself: true } as const satisfies Ruled
/** Using the account of a user. */
export const IMPERSONATION = {
  scope: null,
  needs: 'staff',
  changes: true,
  onlyPeople: true,
  onlyOrdinary: true,
} as const satisfies Ruled

type Details = Readonly<Record<string, string | number>>

export type Permits = ReturnType<typeof permitsOf>

/** Asks the rules inside the transaction of a change, and records what the actor did. */
export function permitsOf(actor: Actor, { db, users, audit }: UpToAccount) {
  const operator = operatorOf(actor)

  return {
    operator,
    permit,
    open,

    /** Does the work in a transaction that holds the user's row, if the rules allow it. */
    change: <T>(rule: Ruled, user: User, work: (now: User, tx: Tx) => Promise<T>): Promise<T> =>
      transaction(db, async (tx) => work(await open(user, tx, rule), tx)),

    record: (userId: number, event: string, tx: Tx, details: Details = {}) =>
      audit.record({ userId, event, details, operator }, tx),

    /** Call it before an active superuser loses that standing. */
    async keepLast(user: User, tx: Tx): Promise<void> {
      if (!actor.force) await keepSuperuser(user, tx)
    },
  }

  /** Locks the user, and asks the rules. Refuses a user who is gone. */
  async function open(
    { id }: User,
    tx: Tx,
    rule: Ruled,
    touches: (user: User) => readonly Touched[] = () => [],
  ): Promise<User> {
    const user = await users.lock(id, tx)
    if (!user) throw problem('not_found')
    await permit(rule, { user, touches: touches(user) }, tx)
    return user
  }

  async function permit(rule: Ruled, target: Target, tx: Tx): Promise<void> {
    const refused = refusalFor(await asOfNow(tx), rule, target)
    if (refused) throw problem(refused)
  }

  /** Flags may have changed, and credentials ended, since the request was authenticated. */
  async function asOfNow(tx: Tx): Promise<Actor> {
    await actor.mustBeValid?.(tx)
    if (actor.kind !== 'person') return actor
    const self = actor.id === undefined ? undefined : await users.findById(actor.id, tx)
    if (!self?.is_active || !isOperator(self)) throw problem('not_allowed')
    return { ...actor, may: self.is_superuser ? 'superuser' : 'staff' }
  }
}
