import { pino } from 'pino'
import type { Settings } from './settings.ts'

const STDOUT = 1
const STDERR = 2

export const createLogger = ({ LOG_LEVEL }: Settings, to = STDOUT) =>
  pino({ level: LOG_LEVEL, serializers }, pino.destination(to))

/** For commands, whose standard output is their answer. */
export const createCommandLogger = (settings: Settings) => createLogger(settings, STDERR)

/** Only what is known to hold no secret: neither addresses of requests nor values of queries. */
const serializers = {
  err: ({ name, message, stack, code }: Error & { code?: unknown }) => ({
    type: name,
    message,
    stack: stack ?? '',
    code,
  }),
}
