import { availableParallelism } from 'node:os'
import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { startBound } from './start.ts'

export const serve = command({
  options: settingsOptions,
  run: (call) =>
    startBound(call, async (start) => {
      const { WORKERS } = start.loaded.settings
      const workers = WORKERS === 'auto' ? availableParallelism() : WORKERS
      // The supervisor of workers does not load the service.
      if (workers === 1) await (await import('./serve-alone.ts')).serveAlone(start)
      else await (await import('./supervise.ts')).supervise(start, workers)
    }),
})
