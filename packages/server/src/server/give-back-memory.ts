import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SECOND } from '../kernel/clock.ts'

/** By then the code that the start did not need is loaded, too. */
const AFTER = 10 * SECOND

/** The share of its time that an idle service spends working, at most. */
const IDLE = 0.1

/**
 * A start takes 15 MB that nothing needs afterwards. V8 gives them back after its next full collection,
 * for which an idle service may wait for minutes. So it gets one, which takes about 50 ms. A service
 * with requests does not wait for it: it collects by itself.
 */
export function giveBackMemoryLater(): void {
  const before = performance.eventLoopUtilization()
  const collectIfIdle = () => {
    if (performance.eventLoopUtilization(before).utilization < IDLE) collectGarbage()
  }
  setTimeout(collectIfIdle, AFTER).unref()
}

export function collectGarbage(): void {
  // Only the new context gets the function.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}
