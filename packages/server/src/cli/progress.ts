import type { Io } from './io.ts'

const BAR_WIDTH = 30
const LINES = 10

/** Shows progress on standard error: a bar on a terminal, otherwise a line for every tenth. */
export function progressOf(what: string, total: number, { stderr }: Io) {
  let tenths = 0

  return {
    at(done: number): void {
      const part = total === 0 ? 1 : Math.min(done / total, 1)
      if (stderr.redraw) {
        const full = Math.round(part * BAR_WIDTH)
        const bar = '#'.repeat(full).padEnd(BAR_WIDTH, '.')
        stderr.redraw(`${what} [${bar}] ${done}/${total}`)
      } else if (Math.floor(part * LINES) > tenths) {
        tenths = Math.floor(part * LINES)
        stderr.write(`${what}: ${done} of ${total}\n`)
      }
    },

    end(): void {
      if (stderr.redraw) stderr.write('\n')
    },
  }
}
