import { type LoginStorage, shared } from './storage.ts'

/** Calls back when another tab has changed what is kept; gives a function that ends it. */
export function followTabs(storage: LoginStorage, key: string, changed: () => unknown): () => void {
  // In memory, and in the storage of an app, there are no other tabs.
  if (storage !== shared()) return () => {}
  const heard = (event: StorageEvent) => {
    if (event.storageArea === storage && (event.key ?? key) === key) void changed()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
