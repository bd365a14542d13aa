// CPU time and memory of processes that do not tell it themselves. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MICROS = 10_000
const PAGE_BYTES = 4096

export const canSeeProcesses = process.platform === 'linux'

/** The CPU time in microseconds and the memory in bytes of a process and of all that it has started. */
export function usageOfTree(root) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => usageOf(Number(pid)))
  const pids = new Set([root])
  // A child has a higher pid than its parent except after a wrap, so it is looked for until all are found.
  for (let found = 0; found !== pids.size; ) {
    found = pids.size
    for (const { pid, parent } of processes) if (pids.has(parent)) pids.add(pid)
  }
  const tree = processes.filter(({ pid }) => pids.has(pid))
  return {
    cpu: tree.reduce((sum, { cpu }) => sum + cpu, 0),
    rss: tree.reduce((sum, { rss }) => sum + rss, 0),
  }
}

function usageOf(pid) {
  try {
    // The name of the program comes first, in brackets, and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const pages = Number(fields[21])
    const parent = Number(fields[1])
    return [{ pid, parent, cpu: ticks * TICK_MICROS, rss: pages * PAGE_BYTES }]
  } catch {
    // It has ended since it was listed.
    return []
  }
}
