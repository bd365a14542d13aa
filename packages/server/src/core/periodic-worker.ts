/** Runs the work at intervals and, when the service stops, a last time. The work must not throw. */
export function createPeriodicWorker(work: () => Promise<void>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(): void {
      timer = setInterval(work, ms).unref()
    },
    stop(): Promise<void> {
      clearInterval(timer)
      return work()
    },
  }
}
