import { pino } from 'pino'
import { SECOND } from './kernel/clock.ts'

const STDOUT = 1

/** Lines are written many at a time, and after this long at the latest. */
const CHUNK = 8192
const FLUSH_EVERY = 0.1 * SECOND

type LogStream = { write(line: string): void }

let stdout: LogStream | undefined

/** A process has one standard output, however many services it runs. */
export const stdoutStream = (): LogStream => {
  stdout ??= openStdout()
  return stdout
}

/**
 * No request waits for its line to be written; the exit does. The destination could collect lines
 * by itself, but it measures all that it holds whenever one is added.
 */
function openStdout(): LogStream {
  let lines = ''
  let isOpen = true
  // Before the destination does the same: at these events it writes what it has.
  process.on('beforeExit', passOn)
  process.on('exit', passOn)
  const destination = pino.destination({ dest: STDOUT, sync: false, minLength: CHUNK })
  destination.once('close', () => {
    isOpen = false
  })
  setInterval(() => {
    if (passOn()) destination.flush()
  }, FLUSH_EVERY).unref()

  return {
    write(line) {
      lines += line
      if (lines.length >= CHUNK) passOn()
    },
  }

  function passOn(): boolean {
    const hasLines = lines !== '' && isOpen
    if (hasLines) destination.write(lines)
    lines = ''
    return hasLines
  }
}
