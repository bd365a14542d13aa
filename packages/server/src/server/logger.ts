import { pino } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { stdoutStream } from './log-stream.ts'

const STDERR = 2

/** Of a server. */
export const createLogger = ({ LOG_LEVEL }: Settings) =>
  pino({ level: LOG_LEVEL, serializers }, stdoutStream())

/** Of a command, whose standard output is its answer. What it does is no news to who asked for it. */
export const createCommandLogger = ({ LOG_LEVEL }: Settings) =>
  pino({ level: LOG_LEVEL === 'info' ? 'warn' : LOG_LEVEL, serializers }, pino.destination(STDERR))

/** Only what is known to hold no secret: neither addresses of requests nor values of queries. */
const serializers = {
  err: ({ name, message, stack, code }: Error & { code?: unknown }) => ({
    type: name,
    message,
    stack: stack ?? '',
    code,
  }),
}
