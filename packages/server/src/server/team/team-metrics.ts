import { AggregatorRegistry } from 'prom-client'
import type { Snapshot } from '../../core/metrics.ts'

/**
 * Adds up the metrics of all workers. A counter must never go down, so what a worker had counted
 * when it was last asked stays in the sum after its end.
 */
export function createTeamMetrics() {
  const latest = new Map<number, Snapshot>()
  let ended: Snapshot[] = []

  return {
    note: (worker: number, snapshot: Snapshot) => void latest.set(worker, snapshot),

    async end(worker: number): Promise<void> {
      const last = latest.get(worker) ?? []
      latest.delete(worker)
      // A gauge says how things are now.
      const all = [...ended, last.filter(({ type }) => String(type) !== 'gauge')]
      ended = all
      const sum = await AggregatorRegistry.aggregate(all).getMetricsAsJSON()
      ended = [sum, ...ended.slice(all.length)]
    },

    text: (): Promise<string> =>
      AggregatorRegistry.aggregate([...ended, ...latest.values()]).metrics(),
  }
}
