import { type PromptStorage, shared } from './storage.ts'

/** Runs one task at a time, in all tabs of the browser. */
export type Lock = <T>(task: () => Promise<T>) => Promise<T>

/** A tab that was closed during its task blocks the others for at most this time. */
const LEASE_MS = 40_000
const LOOK_AGAIN_MS = 50

/**
 * Browsers tell other tabs about a change of `localStorage` a moment after it was made. The lock is
 * held for this time after the task, so that the next tab reads what this one has written.
 */
const SETTLE_MS = 250

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function createLock(name: string): Lock {
  let last: Promise<unknown> = Promise.resolve()
  const inLine: Lock = (task) => {
    const turn = last.then(task)
    last = turn.catch(() => {})
    return turn
  }

  const locks = 'document' in globalThis && navigator.locks
  if (locks) {
    return (task) =>
      new Promise((resolve, reject) => {
        let isHeld = false
        const hold = () => {
          isHeld = true
          return task()
            .then(resolve, reject)
            .then(() => pause(SETTLE_MS))
        }
        // A visitor who forbids storage forbids locks, too. The tabs then have no login in common.
        locks.request(name, hold).catch(() => isHeld || resolve(inLine(task)))
      })
  }
  const storage = shared()
  return storage ? (task) => inLine(() => withLease(storage, `${name}:lock`, task)) : inLine
}

/**
 * For pages without `navigator.locks`: on plain http, and in old browsers. A tab that finds the lock
 * free writes its name, and waits until other tabs that found it free, too, have written theirs. The
 * last one has the lock.
 */
async function withLease<T>(
  storage: PromptStorage,
  name: string,
  task: () => Promise<T>,
): Promise<T> {
  const me = String(Math.random())
  const held = () => storage.getItem(name)?.split(' ') ?? []
  const [, until = 0] = held()
  try {
    if (Date.now() > Number(until)) storage.setItem(name, `${me} ${Date.now() + LEASE_MS}`)
  } catch {
    // The storage is full. A task that could collide with another tab is better than none.
    return task()
  }
  await pause(LOOK_AGAIN_MS)
  if (held()[0] !== me) return withLease(storage, name, task)
  try {
    return await task()
  } finally {
    storage.removeItem(name)
  }
}
