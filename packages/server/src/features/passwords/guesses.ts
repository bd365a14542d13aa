import type { Attempt } from '../limits/counted-by.ts'

/** The limit on wrong passwords, wherever they are typed: the same as at login. */
export type Guesses = {
  refuseIfTooMany(attempt: Attempt): Promise<void>
  count(attempt: Attempt): Promise<void>
  forgive(attempt: Pick<Attempt, 'account'>): Promise<void>
}
