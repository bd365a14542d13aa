/** Notifies its listeners that something has happened. It carries no data. */
export type Signal = {
  notify(): void
  /** Returns a function that stops listening. */
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
