import { fstatSync } from 'node:fs'

/** How often the parent is looked for. */
const LOOK_EVERY = 250

const STDIN = 0

/**
 * Calls the listener when the parent of this process is gone. The system then gives the process
 * another parent. Between the two may be npx or a shell that stays, so the end of a pipe on standard
 * input counts as well: the parent held its other end.
 */
export function watchParent(process: NodeJS.Process, listener: () => void): void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid && isAlive(process, ppid)) return
    clearInterval(timer)
    listener()
  }, LOOK_EVERY)
  timer.unref()
  if (!isPipe()) return
  process.stdin.on('end', listener).on('error', listener).resume()
}

function isAlive(process: NodeJS.Process, pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is alive, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A terminal or `/dev/null` says nothing about the parent. */
function isPipe(): boolean {
  try {
    const input = fstatSync(STDIN)
    return input.isFIFO() || input.isSocket()
  } catch {
    return false
  }
}
