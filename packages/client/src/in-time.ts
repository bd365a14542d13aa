import { AuthError } from './auth-error.ts'

/** The last argument of every call. */
export type CallOptions = {
  /** Aborts the call. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The call fails after so many milliseconds. 0 means never. */
  timeout?: number | undefined
}

/** Browsers and Node run a timer with a longer delay at once. This one is more than three weeks. */
const LONGEST_DELAY = 2 ** 31 - 1

/** Runs `work` until the caller aborts it or its time is over. Retries are part of that time. */
export function inTime<T>(
  { signal, timeout }: CallOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // React Native has neither AbortSignal.any() nor AbortSignal.timeout(), and its signals have no
    // reason.
    const controller = new AbortController()
    const stop = (reason: unknown) => {
      reject(reason)
      controller.abort(reason)
    }
    const abort = () => stop(signal?.reason ?? new Error('The call was aborted.'))
    if (signal?.aborted) return abort()
    const late = () => stop(new AuthError({ status: 0, code: 'timeout' }))
    const timer = timeout ? setTimeout(late, Math.min(timeout, LONGEST_DELAY)) : undefined
    signal?.addEventListener('abort', abort)
    void work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
  })
}

/** Marks a failure of the network, so that it differs from all other errors. */
export const overNetwork = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause) => {
    throw new AuthError({ status: 0, code: 'network', cause })
  })
