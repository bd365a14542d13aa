import { AuthError } from './auth-error.ts'

/** What every call takes last. */
export type CallOptions = {
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds until the call is given up; 0 never does. */
  timeout?: number | undefined
}

/** Does something, retries included, that ends when the caller aborts it or its time is over. */
export function inTime<T>(
  { signal, timeout }: CallOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // AbortSignal.any() and AbortSignal.timeout() are not everywhere, nor is the reason of a signal:
    // React Native has none of them.
    const controller = new AbortController()
    const stop = (reason: unknown) => {
      reject(reason)
      controller.abort(reason)
    }
    const abort = () => stop(signal?.reason ?? new Error('The call was aborted.'))
    if (signal?.aborted) return abort()
    const late = () => stop(new AuthError({ status: 0, code: 'timeout' }))
    const timer = timeout ? setTimeout(late, timeout) : undefined
    signal?.addEventListener('abort', abort)
    void work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
  })
}

/** Tells that the network failed from everything else that can go wrong. */
export const overNetwork = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause) => {
    throw new AuthError({ status: 0, code: 'network', cause })
  })
