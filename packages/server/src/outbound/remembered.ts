import type { Clock } from '../kernel/clock.ts'

export type Remembered<T> = ReturnType<typeof createRemembered<T>>

/**
 * Caches a document of another party. It is fetched on first use, once for all callers, and again
 * when it is old. A failed fetch is not cached and keeps the old value.
 */
export function createRemembered<T>(
  load: () => Promise<T>,
  { clock, lifetimeMs, refreshMs }: { clock: Clock; lifetimeMs: number; refreshMs: number },
) {
  let known: { value: T; since: number } | null = null
  let loading: Promise<T> | null = null
  let refreshedAt = Number.NEGATIVE_INFINITY

  const renew = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        known = { value, since: clock.now() }
        return value
      })
      .finally(() => {
        loading = null
      })
    return loading
  }

  return {
    get: async (): Promise<T> =>
      known && clock.now() < known.since + lifetimeMs ? known.value : renew(),

    /**
     * Fetches early, because the caller's value seems out of date. Returns a newer value, or null
     * if there is none. Fetches at most once per interval.
     */
    refresh: async (outdated: T): Promise<T | null> => {
      if (known && known.value !== outdated) return known.value
      if (loading) return loading
      if (clock.now() < refreshedAt + refreshMs) return null
      refreshedAt = clock.now()
      return renew()
    },
  }
}
