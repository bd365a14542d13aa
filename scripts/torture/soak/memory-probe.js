// Loaded into the service with `--import`. At SIGUSR2 it collects all garbage, and appends what is still in use
// to the file in MEMORY_PROBE. Without that, a figure would say more about the collector than about the program.
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  appendFileSync(process.env.MEMORY_PROBE, `${Date.now()} ${heapUsed + external} ${rss}\n`)
})
