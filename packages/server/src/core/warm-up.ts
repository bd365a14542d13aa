import { SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

/** When whoever waited for the start has been answered. */
const AFTER = 2 * SECOND

/**
 * Loads what the start has left for later, so that no client waits for it, and none meets the files
 * of another version after an upgrade in place. What fails is tried again when it is needed.
 */
export function createWarmUp(load: () => Promise<unknown>, log: Log) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(): void {
      timer = setTimeout(() => {
        load().catch((error) => log.error({ err: error }, 'a part of the program cannot be loaded'))
      }, AFTER)
      timer.unref()
    },
    stop: async (): Promise<void> => clearTimeout(timer),
  }
}
