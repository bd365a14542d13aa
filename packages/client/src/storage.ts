export type Later<T> = T | Promise<T>

/** Stores a login: `localStorage`, `sessionStorage`, AsyncStorage, or an object like them. */
export type LoginStorage = {
  getItem(key: string): Later<string | null>
  setItem(key: string, value: string): Later<unknown>
  removeItem(key: string): Later<unknown>
}

/** A storage that is gone with the page. */
export function memory(): LoginStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  }
}

/** A storage that answers at once, as those of browsers do. */
export interface PromptStorage extends LoginStorage {
  getItem(key: string): string | null
}

/** The storage that all tabs share. Servers and apps have none, and visitors can forbid it. */
export function shared(): PromptStorage | undefined {
  try {
    return 'document' in globalThis ? globalThis.localStorage : undefined
  } catch {
    return undefined
  }
}
