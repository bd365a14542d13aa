import { type LoginStorage, shared } from './storage.ts'

/** Calls back when another tab has changed the stored login. Returns a function that stops it. */
export function followTabs(
  storage: LoginStorage,
  key: string,
  changed: () => Promise<void>,
): () => void {
  // Other storages are not shared with other tabs.
  if (storage !== shared()) return () => {}
  const heard = (event: StorageEvent) => {
    if (event.storageArea !== storage || (event.key ?? key) !== key) return
    // If the storage cannot be read now, the next call says so.
    changed().catch(() => {})
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
