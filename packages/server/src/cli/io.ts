import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../settings/from-environment.ts'

/** All that a command knows of the world outside; `main.ts` hands in the real one. */
export type Io = {
  readonly env: Environment
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable
  /** Calls the listener whenever the process is asked to stop. */
  onSignal(listener: () => void): void
  /** Ends the process at once, whatever is under way. */
  exit(code: number): void
}

/** Resolves when the stream has taken the text, so that long output waits for a slow reader. */
export const writeAll = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
