import { write, writeSync } from 'node:fs'
import { SECOND, systemClock } from '../kernel/clock.ts'

/** Takes a line and returns at once; nobody ever waits for a log. */
export type LogStream = { write(line: string): void }

const STDOUT = 1

/** Lines are written many at a time, and after this long at the latest. */
const CHUNK = 8192
const FLUSH_EVERY = 0.1 * SECOND

/** So much may wait for a reader that stalls; the lines after that are lost, and counted. */
const WAITING_MAX = 16 * 1024 * 1024

let stdout: LogStream | undefined

/** A process has one standard output, however many services it runs. */
export const stdoutStream = (): LogStream => {
  stdout ??= openLogStream(STDOUT)
  return stdout
}

/**
 * Of our own, since a log must never harm the service: not by a full disk, a reader that stalls or
 * one that has gone. Streams that others make wait for such at the exit, for ever.
 */
export function openLogStream(fd: number): LogStream {
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

  /** `lines` are lost if it fails; what comes later is tried again. */
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

  /** At the exit nothing can be waited for: where a write is stuck, this one would be, too. */
  function writeRest(): void {
    if (isWriting || waiting === '') return
    try {
      writeSync(fd, waiting)
    } catch {
      // Nobody is left to be told.
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
