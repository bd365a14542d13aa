import { pino } from 'pino'
import type { Settings } from './settings.ts'

export const createLogger = ({ LOG_LEVEL }: Settings) => pino({ level: LOG_LEVEL, serializers })

/** Only what is known to hold no secret: neither addresses of requests nor values of queries. */
const serializers = {
  err: ({ name, message, stack, code }: Error & { code?: unknown }) => ({
    type: name,
    message,
    stack: stack ?? '',
    code,
  }),
}
