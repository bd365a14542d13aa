import { pino } from 'pino'
import { SECOND } from './kernel/clock.ts'
import type { Settings } from './settings.ts'

const STDOUT = 1
const STDERR = 2

/** Lines are written many at a time, and after this long at the latest. */
const BUFFER_BYTES = 4096
const FLUSH_EVERY = 0.1 * SECOND

/** Of a server: no request waits for its line to be written; the exit does. */
export function createLogger({ LOG_LEVEL }: Settings) {
  const stdout = pino.destination({ dest: STDOUT, sync: false, minLength: BUFFER_BYTES })
  setInterval(() => stdout.flush(), FLUSH_EVERY).unref()
  return pino({ level: LOG_LEVEL, serializers }, stdout)
}

/** Of a command, whose standard output is its answer. */
export const createCommandLogger = ({ LOG_LEVEL }: Settings) =>
  pino({ level: LOG_LEVEL, serializers }, pino.destination(STDERR))

/** Only what is known to hold no secret: neither addresses of requests nor values of queries. */
const serializers = {
  err: ({ name, message, stack, code }: Error & { code?: unknown }) => ({
    type: name,
    message,
    stack: stack ?? '',
    code,
  }),
}
