import { SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

/** The first requests after the start come first. */
const AFTER = 2 * SECOND

/**
 * Loads code that the start did not need, so that no client waits for it. It must not wait much
 * longer: an upgrade in place deletes the old files. If loading fails, it is tried again when the
 * code is needed.
 */
export function createWarmUp(loads: readonly (() => Promise<unknown>)[], log: Log) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let loading: Promise<void> = Promise.resolve()

  /** One after another, so that requests are answered in between. */
  async function loadAll(): Promise<void> {
    for (const load of loads) {
      if (isStopped) return
      await load().catch((error) => {
        if (isStopped) return
        log.error(
          { err: error },
          'a part of the program cannot be loaded; a request that needs it will try again',
        )
      })
    }
  }

  return {
    start(): void {
      timer = setTimeout(() => {
        loading = loadAll()
      }, AFTER).unref()
    },

    /** Waits for the part that is being loaded, since it may use the database. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await loading
    },
  }
}
