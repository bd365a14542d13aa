/** Who changes accounts from the command line, and from where; stands in every audit row of theirs. */
export type Operator = {
  /** The user of the operating system. */
  readonly operator: string
  /** The machine that the command ran on. */
  readonly host: string
  /** Whom `sudo` says it acts for. */
  readonly sudo_user?: string
  /** The address that the operator is logged in from. */
  readonly ssh_client?: string
}
