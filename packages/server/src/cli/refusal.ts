/** A command was refused. The caller sees only its lines. */
export class CommandRefusal extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const refusal = (message: string): CommandRefusal => new CommandRefusal(1, message)

/** A refusal because the command line is wrong. */
export const usageRefusal = (message: string): CommandRefusal => new CommandRefusal(2, message)
