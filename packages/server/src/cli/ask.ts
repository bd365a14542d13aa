import { createInterface } from 'node:readline'
import type { Io } from './io.ts'
import { refusal } from './refusal.ts'

/** Whether the operator is sure; `otherwise` says what to do where nobody can be asked. */
export async function asks(
  question: string,
  otherwise: string,
  { stdin, stderr }: Io,
): Promise<boolean> {
  // The question is no part of the answer, which may go to a file.
  stderr.write(question)
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
  } finally {
    lines.close()
  }
  if (stdin.isTTY) return false
  throw refusal(`There is nobody to ask; ${otherwise}`)
}
