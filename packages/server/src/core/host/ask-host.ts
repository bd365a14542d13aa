import { SECOND } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import type { Log } from '../../kernel/log.ts'
import { unavailable } from '../../kernel/problems.ts'
import { HostRefusal } from '../../kernel/refuse.ts'
import { errorOf } from '../../kernel/thrown.ts'

/** How long a function of the host may take. */
const PATIENCE = 5 * SECOND
const RETRY_SECONDS = 5

type Question<T> = {
  /** The name of the function, for the log. */
  name: string
  ask(): T | Promise<T>
  /** Whether it may refuse. Otherwise a refusal is a failure, too. */
  mayRefuse: boolean
  /** Whether its errors may hold a secret. Then the log gets only their names and places. */
  knowsSecret?: boolean
}

/**
 * The only way in which a function of the host is asked. It can refuse; whatever else goes wrong in
 * it is logged, and the request is refused without a reason. An answer that comes too late is ignored.
 */
export const createAskHost =
  (log: Log) =>
  async <T>({ name, ask, mayRefuse, knowsSecret = false }: Question<T>): Promise<T> => {
    try {
      return await withDeadline(begin(ask), PATIENCE)
    } catch (error) {
      if (mayRefuse && HostRefusal.is(error)) throw error
      const about = knowsSecret ? { error: withoutWords(error) } : { err: errorOf(error) }
      log.error({ hook: name, ...about }, 'a function of the host failed; the request is refused')
      throw unavailable(RETRY_SECONDS).logged()
    }
  }

/** What is thrown at once is a rejection, too. */
const begin = async <T>(ask: () => T | Promise<T>): Promise<T> => ask()

/** The name of an error, and where it was thrown. Its message may quote a password. */
function withoutWords(thrown: unknown): string {
  const error = errorOf(thrown)
  if (error !== thrown) return typeof thrown
  const { name, message, stack = '' } = error
  const at = stack.indexOf(message)
  return at < 0 ? name : name + stack.slice(at + message.length)
}
