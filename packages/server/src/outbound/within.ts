import { unavailable } from '../problems.ts'

const RETRY_SECONDS = 5

/** Several calls in a row may each be in time, and yet too slow for whoever waits for them all. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(RETRY_SECONDS)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
