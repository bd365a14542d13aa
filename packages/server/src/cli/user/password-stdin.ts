import { buffer } from 'node:stream/consumers'
import type { Io } from '../io.ts'
import { refusal } from '../refusal.ts'

/** Reads the password from standard input, exactly as it is, without one line break at its end. */
export async function readPassword({ stdin, stderr }: Io): Promise<string> {
  if (stdin.isTTY)
    stderr.write(
      'Type the password, then press Enter and Ctrl-D (the password is visible while you type):\n',
    )
  const bytes = await buffer(stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    // Invalid UTF-8 would become a password that nobody can type.
    throw refusal('The password is not valid UTF-8.')
  }
}
