/** Runs the work at intervals, and one last time when the service stops. The work must not throw. */
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
