/** Writes structured log lines. The fields never contain a password, a token, a code or a key. */
export type Log = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/**
 * Turns a thrown value into an error that can be logged. A host can throw anything: nothing at all,
 * a text, an object that throws when it is read.
 */
export function errorOf(thrown: unknown): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(`Thrown: ${String(thrown)}`)
    const { name, message, stack = '', code = '' }: Error & { code?: unknown } = thrown
    const isReadable = [name, message, stack, `${code}`].every((one) => typeof one === 'string')
    return isReadable ? thrown : unreadable()
  } catch {
    return unreadable()
  }
}

const unreadable = () => new Error('Something was thrown that cannot be read.')

/** The message of a thrown value. An error of several tries has none, so that of the first counts. */
export function messageOf(thrown: unknown): string {
  const error = errorOf(thrown)
  return error instanceof AggregateError && error.message === ''
    ? messageOf(error.errors[0])
    : error.message
}
