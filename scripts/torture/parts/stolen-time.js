import { readFileSync } from 'node:fs'

/** The unit of the kernel's counters, whatever the machine. */
const TICK_MS = 10

/**
 * For how long, over all cores, the host of this virtual machine ran others while we wanted to run. Zero where
 * the kernel does not tell. No service can be quick in a time that it does not get.
 */
export function stolenMs() {
  try {
    const [all = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    return Number(all.split(/\s+/)[8] ?? 0) * TICK_MS
  } catch {
    return 0
  }
}
