import { createInterface } from 'node:readline'
import type { Io } from './io.ts'
import { refusal } from './refusal.ts'

/** Asks the operator to confirm. `otherwise` says what to do if there is no terminal. */
export async function asks(
  question: string,
  otherwise: string,
  { stdin, stderr }: Io,
): Promise<boolean> {
  // The question goes to standard error, since standard output may go to a file.
  stderr.write(question)
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
  } finally {
    lines.close()
  }
  if (stdin.isTTY) return false
  throw refusal(`This needs a confirmation, but there is no terminal to ask on. ${otherwise}`)
}
