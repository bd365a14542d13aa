import type { Scope } from '../../core/identity.ts'
import { type PlainProblemCode, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { Operator } from '../audit/audit.ts'
import { isOperator } from '../operators/admin-sessions.ts'
import { isOrdinary } from '../sessions/impersonations.ts'
import { keepSuperuser } from '../users/superusers.ts'

/** Who calls an operation, and what they may do. */
export type Actor = Operator & {
  readonly kind: 'cli' | 'host' | 'key' | 'person'
  /** The row of the user, for a person. */
  readonly id?: number
  /**
   * - `all`: a command or the host, which could change the database anyway
   * - `superuser`, `staff`: a person, by the flags that they had when the request was authenticated.
   *   A change reads the flags again, inside its transaction
   * - a list: the scopes of a key
   */
  readonly may: 'all' | 'superuser' | 'staff' | readonly Scope[]
  /** Refuses if the session or key of the request has been ended. Asked inside the transaction. */
  readonly mustBeValid?: (tx: Tx) => Promise<void>
  /** Allows a command to remove the last active superuser. */
  readonly force?: boolean
}

/** The part of an actor that goes into the audit. */
export const operatorOf = ({
  may: _may,
  force: _force,
  id: _id,
  mustBeValid: _mustBeValid,
  ...operator
}: Actor): Operator => operator

/** The actor, and why they act, if they say so. */
export const because = (actor: Actor, reason: unknown): Actor =>
  typeof reason === 'string' && reason !== '' ? { ...actor, reason } : actor

/** The part of an operation that the rules look at. */
export type Ruled = {
  /** The scope that a key needs. Null: no key may call it. */
  readonly scope: Scope | null
  /** The flag that a person needs. Superusers may do everything that staff may. */
  readonly needs: 'staff' | 'superuser'
  /**
   * It changes something or exports data, so it leaves an audit row, and people must have proved
   * recently who they are.
   */
  readonly changes: boolean
  /** True if people may do it with their own account. */
  readonly onOneself?: boolean
  /** Neither commands nor hosts nor keys may do it. */
  readonly onlyPeople?: boolean
  /** It acts only on active users without flags. */
  readonly onlyOrdinary?: boolean
}

/** What the rules ask about looking at accounts, and at how the service is doing. */
export const LOOK = { scope: 'read', needs: 'staff', changes: false } as const satisfies Ruled
/** What the rules ask about every change of an account. */
export const CHANGE = { scope: 'users', needs: 'staff', changes: true } as const satisfies Ruled
/** Changes that people may make to their own account as well. */
export const OWN_CHANGE = { ...CHANGE, onOneself: true } as const satisfies Ruled

/** Parts that not every operator may change, and that nobody may change in their own account. */
export type Touched = 'flags' | 'groups' | 'address'

/** The user that the operation acts on. The row is locked, so its flags cannot change any more. */
export type Target = { readonly user: User | null; readonly touches?: readonly Touched[] }

/**
 * The only function that decides whether an actor may run an operation. Returns the code of the
 * refusal, or null. It is asked twice: without a target, before anything is looked up, and with the
 * locked target, before anything is changed.
 */
export function refusalFor(
  actor: Actor,
  operation: Ruled,
  target?: Target,
): PlainProblemCode | null {
  const { may } = actor
  if (operation.onlyPeople && actor.kind !== 'person') return 'not_allowed'
  if (may === 'all') return null
  if (typeof may !== 'string') {
    if (operation.scope === null) return 'not_allowed'
    if (!may.includes(operation.scope)) return 'scope_missing'
  } else if (operation.needs === 'superuser' && may !== 'superuser') return 'not_allowed'
  if (!target || !operation.changes) return null

  const { user, touches = [] } = target
  if (actor.kind === 'person' && user && user.id === actor.id) {
    return operation.onOneself && touches.length === 0 ? null : 'own_account'
  }
  if (operation.onlyOrdinary && user && !isOrdinary(user)) return 'not_impersonable'
  if (user && rankOf(user) >= (may === 'superuser' ? 2 : 1)) return 'equal_or_above'
  return touches.some((one) => !mayTouch(may, one)) ? 'not_allowed' : null
}

/** Superusers change those below 2. Staff and keys change only ordinary users, who have 0. */
const rankOf = ({ is_staff, is_superuser }: User): number => (is_superuser ? 2 : is_staff ? 1 : 0)

function mayTouch(may: Exclude<Actor['may'], 'all'>, touched: Touched): boolean {
  if (may === 'superuser') return true
  // A key may change groups and addresses, but makes nobody an operator.
  return may === 'staff' ? touched === 'address' : touched !== 'flags'
}

/** The codes of what the rules refuse. */
const RULES: readonly string[] = [
  'not_allowed',
  'scope_missing',
  'own_account',
  'equal_or_above',
  'last_superuser',
  'not_impersonable',
] satisfies PlainProblemCode[]

export const isOfRules = (code: string): boolean => RULES.includes(code)

type Details = Readonly<Record<string, string | number>>

/** What an operation gets: who runs it, and its rule, to be asked again. */
export type Permits = ReturnType<typeof permitsOf>

/** Asks the rules inside the transaction of a change, and records what the actor did. */
export function permitsOf(actor: Actor, rule: Ruled, { db, users, audit }: UpToAccount) {
  const operator = operatorOf(actor)

  return {
    actor,
    operator,
    permit,
    open,

    /** Does the work in a transaction that holds the user's row, if the rules allow it. */
    change: <T>(
      user: User,
      work: (now: User, tx: Tx) => Promise<T>,
      touches?: (now: User) => readonly Touched[],
    ): Promise<T> => transaction(db, async (tx) => work(await open(user, tx, touches), tx)),

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
    touches: (now: User) => readonly Touched[] = () => [],
  ): Promise<User> {
    const user = await users.lock(id, tx)
    if (!user) throw problem('not_found')
    await permit({ user, touches: touches(user) }, tx)
    return user
  }

  async function permit(target: Target, tx: Tx): Promise<void> {
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
