import type { Scope } from '../../core/admin-caller.ts'
import type { PlainProblemCode } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { isOrdinary } from '../sessions/impersonations.ts'
import type { Actor } from './actor.ts'

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
