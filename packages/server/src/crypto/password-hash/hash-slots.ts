import { availableParallelism } from 'node:os'
import { unavailable } from '../../problems.ts'

/**
 * Bounds how many password hashes run at a time and how many wait. A flood of logins then costs
 * the flooders a 503, and not everybody else the processor.
 */
export type HashSlots = {
  run<T>(task: () => Promise<T>): Promise<T>
}

/** Hashes run on the threads of Node's pool; one stays free for files and names. */
const THREADS = 4

export function createHashSlots({
  parallel = Math.min(availableParallelism(), THREADS - 1),
  queue = 256,
}: {
  parallel?: number
  queue?: number
} = {}): HashSlots {
  const waiting: (() => void)[] = []
  let free = parallel

  async function take(): Promise<void> {
    if (free > 0) {
      free -= 1
      return
    }
    if (waiting.length >= queue) throw unavailable(1)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  // A slot goes straight to the first in line: were it freed in between, a newcomer could take it.
  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    async run(task) {
      await take()
      try {
        return await task()
      } finally {
        giveBack()
      }
    },
  }
}
