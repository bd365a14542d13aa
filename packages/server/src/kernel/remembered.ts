import { type Clock, isWithin } from './clock.ts'

/**
 * Keeps a result for a while. It is loaded on first use, once for all callers. A failure is not
 * kept.
 */
export function createRemembered<T>(
  load: () => Promise<T>,
  {
    clock,
    lifetimeMs,
    refreshMs = lifetimeMs,
  }: { clock: Clock; lifetimeMs: number; refreshMs?: number },
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
      known && isWithin(lifetimeMs, known.since, clock.now()) ? known.value : renew(),

    /**
     * Loads early, because the caller's value seems out of date. Returns a newer value, or null if
     * there is none. Loads at most once per interval, not counting failures.
     */
    refresh: async (outdated: T): Promise<T | null> => {
      if (known && known.value !== outdated) return known.value
      if (loading) return loading
      if (isWithin(refreshMs, refreshedAt, clock.now())) return null
      const value = await renew()
      refreshedAt = clock.now()
      return value
    },
  }
}
