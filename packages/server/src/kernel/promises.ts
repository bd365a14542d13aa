const tooLate = () => new Error('It took too long.')

/** Waits for the work until the time is up, then throws. A later result is ignored. */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  failure: () => Error = tooLate,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure()), ms)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for the work until the signal aborts, then throws. A later result is ignored. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Loads on the first call and keeps the result. After a failure, the next call tries again. */
export function once<T>(load: () => Promise<T>) {
  let loading: Promise<T> | undefined
  const get = (): Promise<T> => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
  /** The result, for those who close it. Undefined if nothing was loaded, or loading has failed. */
  get.ifLoaded = async (): Promise<T | undefined> => loading?.catch(() => undefined)
  return get
}
