import { isDeepStrictEqual } from 'node:util'

/** Where a value was read, and what it was. */
export type Reads = Map<string, { path: readonly string[]; value: unknown }>

/**
 * The object that `current` returns at the moment of each read, or a part of it. Notes everything that
 * is read.
 */
export function watched<T extends object>(
  current: () => T,
  reads: Reads,
  path: readonly string[] = [],
): T {
  const read = (name: string | symbol): unknown => Reflect.get(current(), name)
  const note = (at: readonly string[], value: unknown) =>
    reads.set(at.join(' '), { path: at, value })
  return new Proxy({} as T, {
    get(_, name) {
      const value = read(name)
      const at = [...path, String(name)]
      if (isPlain(value)) return watched(() => read(name) as object, reads, at)
      note(at, value)
      return value
    },
    has: (_, name) => Reflect.has(current(), name),
    ownKeys() {
      note(path, current())
      return Reflect.ownKeys(current())
    },
    getOwnPropertyDescriptor: (_, name) => ({
      value: read(name),
      enumerable: true,
      configurable: true,
    }),
  })
}

/** Whether all reads would give the same values. */
export function isSameAsRead(object: object, reads: Reads): boolean {
  return [...reads.values()].every(({ path, value }) =>
    isDeepStrictEqual(
      path.reduce((part: unknown, name) => Reflect.get(Object(part), name), object),
      value,
    ),
  )
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
