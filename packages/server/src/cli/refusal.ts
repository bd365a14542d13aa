/** What a command could not do. Its lines are all that the caller gets to see of it. */
export class Refusal extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const refusal = (message: string): Refusal => new Refusal(1, message)

/** The command line itself was wrong. */
export const usageRefusal = (message: string): Refusal => new Refusal(2, message)
