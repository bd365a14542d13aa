type Later<T> = T | Promise<T>

/** Where a login is kept: `localStorage`, `sessionStorage`, AsyncStorage, or what looks like them. */
export type LoginStorage = {
  getItem(key: string): Later<string | null>
  setItem(key: string, value: string): Later<unknown>
  removeItem(key: string): Later<unknown>
}

/** Gone with the page. */
export function memory(): LoginStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  }
}

/** As the storages of browsers are: it answers at once. */
export interface PromptStorage extends LoginStorage {
  getItem(key: string): string | null
}

/** What all tabs of a browser share; none on servers, in apps, and where the visitor forbids it. */
export function shared(): PromptStorage | undefined {
  try {
    return 'document' in globalThis ? globalThis.localStorage : undefined
  } catch {
    return undefined
  }
}
