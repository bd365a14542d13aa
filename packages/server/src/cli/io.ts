import type { Readable } from 'node:stream'
import { visibleLines } from '../kernel/visible.ts'
import type { Environment } from '../settings/from-environment.ts'

/** As much of a stream as commands use. */
export type Output = {
  write(text: string, done?: (error?: Error | null) => void): unknown
  readonly isTTY?: boolean
  /** On a terminal only: writes over the line that was written last. */
  redraw?(line: string): void
}

/** All that a command knows of the world outside; `main.ts` hands in the real one. */
export type Io = {
  readonly env: Environment
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** The user of the operating system who runs the command, and the name of the machine. */
  readonly user: string
  readonly host: string
  /** Calls the listener whenever the process is asked to stop. */
  onSignal(listener: () => void): void
  /** Ends the process at once, whatever is under way. */
  exit(code: number): void
}

/** Resolves when the stream has taken the text, so that long output waits for a slow reader. */
export const writeAll = (stream: Output, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/**
 * The one way out of every command. Names, addresses and details of the audit come from strangers,
 * who could otherwise write to the operator's terminal as they like.
 */
export const withVisibleOutput = (io: Io): Io => ({
  ...io,
  stdout: visibleOutput(io.stdout),
  stderr: visibleOutput(io.stderr),
})

const visibleOutput = (output: Output): Output => ({
  write: (text, done) => output.write(visibleLines(text), done),
  ...(output.isTTY && { redraw: (line) => void output.write(`\r${visibleLines(line)}`) }),
})
