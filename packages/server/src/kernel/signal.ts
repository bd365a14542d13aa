/** Tells those who asked that something happened, and nothing else. */
export type Signal = {
  notify(): void
  /** Returns how to stop listening. */
  listen(listener: () => void): () => void
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
