/** Whose wrong passwords are counted; the same account as at login. */
type Attempt = { account: string; address: string }

/** The limit on wrong passwords, wherever they are typed. */
export type Guesses = {
  refuseIfTooMany(attempt: Attempt): Promise<void>
  count(attempt: Attempt): Promise<void>
  forgive(attempt: Pick<Attempt, 'account'>): Promise<unknown>
}
