import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { visibleControls, visibleLines } from '../kernel/texts.ts'
import type { Environment } from '../settings/sources.ts'

/** The part of a stream that commands use. */
type Output = {
  write(text: string, done?: (error?: Error | null) => void): unknown
  readonly isTTY?: boolean
  /** Only on a terminal: replaces the last line. */
  redraw?(line: string): void
  /** Only elsewhere: for data whose joiners count. It may still end on a terminal, behind a pipe. */
  writeData?(text: string, done?: (error?: Error | null) => void): unknown
}

/** Everything that a command knows about the outside world. `main.ts` passes the real one. */
export type Io = {
  readonly env: Environment
  readonly cwd: string
  readonly stdin: Readable & {
    readonly isTTY?: boolean
    /** Only on a terminal: passes on every key at once, without echoing it. */
    setRawMode?(on: boolean): unknown
  }
  readonly stdout: Output
  readonly stderr: Output
  /** The user of the operating system who runs the command, and the name of the machine. */
  readonly user: string
  readonly host: string
  /** Calls the listener whenever the process is told to stop. */
  onSignal(listener: () => void): void
  /** Calls the listener when the process that started this one is gone. */
  onParentGone(listener: () => void): void
  /** Ends the process at once. */
  exit(code: number): void
  /** Starts a process that serves together with others (`worker.ts`). */
  forkWorker(): ChildProcess
}

/** Returns whether the process was told to stop. Long work asks between its steps. */
export function stopping({ io }: { readonly io: Io }): () => boolean {
  let isStopping = false
  io.onSignal(() => {
    isStopping = true
  })
  return () => isStopping
}

/** Resolves when the stream has accepted the text, so long output waits for a slow reader. */
export const writeAll = (stream: Pick<Output, 'write'>, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/**
 * All output of commands goes through here. Names, addresses and audit details come from strangers,
 * who could otherwise control the operator's terminal.
 */
export const withVisibleOutput = (io: Io): Io => ({
  ...io,
  stdout: visibleOutput(io.stdout),
  stderr: visibleOutput(io.stderr),
})

const visibleOutput = (output: Output): Output => ({
  write: (text, done) => output.write(visibleLines(text), done),
  ...(output.isTTY
    ? { redraw: (line) => void output.write(`\r${visibleLines(line)}`) }
    : { writeData: (text, done) => output.write(visibleControls(text), done) }),
})
