import { writeSync, write as writeToFile } from 'node:fs'
import { SECOND, systemClock } from '../kernel/clock.ts'

/** Takes a line and returns at once. Nothing ever waits for the log. */
export type LogStream = { write(line: string): void }

/** As `write` of `node:fs` does it. */
export type Write = (
  fd: number,
  bytes: Buffer,
  end: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void

const STDOUT = 1

/**
 * Lines are written in chunks of this size. Handing one to another thread costs as much as handling a
 * request.
 */
const CHUNK = 64 * 1024
const FLUSH_EVERY = 0.1 * SECOND

/** How much may wait for a slow reader. Later lines are lost, and counted. */
const WAITING_MAX = 16 * 1024 * 1024

let stdout: LogStream | undefined

/** One stream per process, since a process has one standard output. */
export const stdoutStream = (): LogStream => {
  stdout ??= openLogStream(STDOUT)
  return stdout
}

/**
 * Our own stream. A log must never harm the service, neither by a full disk nor by a reader that
 * is slow or gone. Other streams would block the exit in these cases.
 */
export function openLogStream(fd: number, write: Write = writeToFile): LogStream {
  let waiting = ''
  let waitingLines = 0
  let lostLines = 0
  let isWriting = false

  setInterval(flush, FLUSH_EVERY).unref()
  process.on('beforeExit', flush)
  process.on('exit', writeRest)

  return {
    write(line) {
      if (waiting.length >= WAITING_MAX) {
        lostLines += 1
        return
      }
      waiting += line
      waitingLines += 1
      if (waiting.length >= CHUNK) flush()
    },
  }

  function flush(): void {
    if (isWriting || waiting === '') return
    isWriting = true
    send(Buffer.from(`${notice(lostLines)}${waiting}`), lostLines + waitingLines)
    waiting = ''
    waitingLines = 0
    lostLines = 0
  }

  /** If this fails, `lines` lines are lost. Later lines are tried again. */
  function send(bytes: Buffer, lines: number): void {
    write(fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(send, FLUSH_EVERY, bytes, lines)
        return
      }
      if (!error && written < bytes.length) {
        send(bytes.subarray(written), lines)
        return
      }
      if (error) lostLines += lines
      isWriting = false
      if (waiting.length >= CHUNK) flush()
    })
  }

  /** At the exit there is no time to wait. If a write is stuck, this one would be stuck, too. */
  function writeRest(): void {
    if (isWriting || waiting === '') return
    try {
      writeSync(fd, waiting)
    } catch {
      // The process ends, so the error cannot be reported.
    }
  }
}

function notice(lostLines: number): string {
  if (lostLines === 0) return ''
  const line = {
    level: 40,
    time: systemClock.now(),
    msg: `${lostLines} lines of the log were lost`,
  }
  return `${JSON.stringify(line)}\n`
}
