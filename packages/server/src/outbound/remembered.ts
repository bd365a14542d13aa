import type { Clock } from '../kernel/clock.ts'

export type Remembered<T> = ReturnType<typeof createRemembered<T>>

/**
 * Something that another party publishes: fetched when it is first needed, by one caller for all,
 * and again when it has grown old. A failure is not remembered, and takes nothing away.
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
     * Before its time, since the value that a caller has seems to be out of date: a newer one, if
     * there is one by now or may be fetched, once in so long; else null.
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
