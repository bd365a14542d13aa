import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Operator, UserRow } from './shapes.ts'

const Current = createContext<Operator | null>(null)

export const OperatorProvider = Current.Provider

/** Only pages for signed-in operators use it. */
export function useOperator(): Operator {
  const operator = useContext(Current)
  if (!operator) throw new Error('Nobody is signed in.')
  return operator
}

/**
 * Whether the operator may change the account. The service decides; this only keeps buttons away
 * that it would refuse.
 */
export const mayChange = (operator: Operator, user: UserRow): boolean =>
  operator.pk !== user.pk && !user.is_superuser && (operator.is_superuser || !user.is_staff)
