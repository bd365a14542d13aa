export type Signal = ReturnType<typeof createSignal>

/** Notifies its listeners that something has happened. It carries no data. */
export function createSignal() {
  const listeners = new Set<() => void>()
  return {
    notify(): void {
      for (const listener of listeners) listener()
    },
    /** Returns a function that stops listening. */
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
