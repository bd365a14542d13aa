// Loaded into the service with `--import`. At SIGUSR2 it collects all garbage, and appends what is still in use
// to the file in MEMORY_PROBE: without compiled code, the resident set, and with compiled code. Without the collection, a
// figure would say more about the collector than about the program. Compiled code grows for hours, ever more slowly, as
// more of the program has run often enough to be worth it.
import { appendFileSync } from 'node:fs'
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics()
  const all = heapUsed + external
  const data = all - code_and_metadata_size - bytecode_and_metadata_size
  appendFileSync(process.env.MEMORY_PROBE, `${Date.now()} ${data} ${rss} ${all}\n`)
})
