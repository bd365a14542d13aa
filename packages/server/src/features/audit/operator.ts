/**
 * Who changes accounts from the command line, and from where. Part of every audit row of an
 * operator.
 */
export type Operator = {
  /** The user of the operating system. */
  readonly operator: string
  /** The machine that the command ran on. */
  readonly host: string
  /** The user who called `sudo`. */
  readonly sudo_user?: string
  /** The address from which the operator has logged in over SSH. */
  readonly ssh_client?: string
}
