import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AdminUser, AdminUserDetails } from '../../../server/src/kernel/admin-answers.ts'

export type Operator = Pick<AdminUser, 'pk' | 'username' | 'is_staff' | 'is_superuser'>

/** What `session/` answers. */
export type Session = {
  user: Operator
  /** True if the operator has no second factor yet. */
  mfa_setup_required: boolean
}

const Current = createContext<Operator | null>(null)

export const OperatorProvider = Current.Provider

/** Only pages for signed-in operators use it. */
export function useOperator(): Operator {
  const operator = useContext(Current)
  if (!operator) throw new Error('Nobody is signed in.')
  return operator
}

/** What each part of the page of a user gets. */
export type PartProps = {
  user: AdminUserDetails
  /** Whether the operator may change the account. */
  isOpen: boolean
  reload(): Promise<void>
}

/**
 * Whether the operator may change the account. The service decides; this only keeps buttons away
 * that it would refuse.
 */
export const mayChange = (operator: Operator, user: AdminUser): boolean =>
  operator.pk !== user.pk && !user.is_superuser && (operator.is_superuser || !user.is_staff)
