import { realpathSync } from 'node:fs'

export type FileTurn = ReturnType<typeof joinFile>

type File = { connections: number; isTaken: boolean; waiting: (() => void)[] }

const files = new Map<string | symbol, File>()

/**
 * Turns for all connections of this process to the same file. The driver is synchronous: a
 * connection that waited for the lock of another one would stop the very thread that could end its
 * transaction. `sqlite-driver.ts` waits for other processes. Every `take` needs a `give`.
 */
export function joinFile(path: string) {
  // Every connection to memory has a database of its own.
  const key = path === ':memory:' ? Symbol(path) : realpathSync(path)
  const file = files.get(key) ?? { connections: 0, isTaken: false, waiting: [] }
  files.set(key, file)
  file.connections += 1

  return {
    /** Returns no promise if the file is free. */
    take(): Promise<void> | undefined {
      if (file.isTaken) return new Promise((resolve) => file.waiting.push(resolve))
      file.isTaken = true
      return undefined
    },

    give(): void {
      const next = file.waiting.shift()
      if (next) next()
      else file.isTaken = false
    },

    isFree: (): boolean => !file.isTaken,

    /** This connection is closed. */
    leave(): void {
      file.connections -= 1
      if (file.connections === 0) files.delete(key)
    },
  }
}
