/** A function that begins nothing while a call is in progress: all callers share its result. */
export function oneAtATime<Args extends unknown[], T>(begin: (...args: Args) => Promise<T>) {
  let pending: Promise<T> | undefined
  return (...args: Args): Promise<T> => {
    pending ??= begin(...args).finally(() => {
      pending = undefined
    })
    return pending
  }
}
