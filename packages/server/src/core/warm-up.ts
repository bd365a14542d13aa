import { SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

/** By then the first requests after the start are answered. */
const AFTER = 2 * SECOND

/**
 * Loads code that the start did not need, so that no client waits for it. After an upgrade in
 * place, the old files would be gone. If loading fails, it is tried again when the code is needed.
 */
export function createWarmUp(loads: readonly (() => Promise<unknown>)[], log: Log) {
  let timer: NodeJS.Timeout | undefined

  /** One after another, so that requests get their turns in between. */
  async function loadAll(): Promise<void> {
    for (const load of loads) {
      await load().catch((error) =>
        log.error({ err: error }, 'a part of the program cannot be loaded'),
      )
    }
  }

  return {
    start(): void {
      timer = setTimeout(loadAll, AFTER)
      timer.unref()
    },
    stop: async (): Promise<void> => clearTimeout(timer),
  }
}
