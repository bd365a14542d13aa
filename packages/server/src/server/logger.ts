import { pino } from 'pino'
import { errorOf } from '../kernel/log.ts'
import type { Settings } from '../settings/settings.ts'
import { type LogStream, stdoutStream } from './log-stream.ts'

/** Pino's own stream tries forever to write to a disk that is full, and the command would never end. */
const stderrStream: LogStream = { write: (line) => void process.stderr.write(line) }

export const createLogger = ({ LOG_LEVEL }: Settings) =>
  pino({ level: LOG_LEVEL, serializers }, stdoutStream())

/**
 * The logger of a command. It writes to standard error, since standard output carries the result,
 * and leaves out routine messages.
 */
export const createCommandLogger = ({ LOG_LEVEL }: Settings) =>
  pino({ level: LOG_LEVEL === 'info' ? 'warn' : LOG_LEVEL, serializers }, stderrStream)

/** Logs only what holds no secret: neither URLs of requests nor values of queries. */
export const serializers = {
  err(thrown: unknown) {
    const error = errorOf(thrown)
    const { name, message, stack = '' } = error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    return { type: name, message, stack, code }
  },
}
