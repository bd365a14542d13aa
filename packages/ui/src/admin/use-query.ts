import { announce, placeNow, urlOf, useAddress } from '../router.tsx'

const searchNow = () => location.search

/** What the address asks the page for. */
export function useQuery<Name extends string>(...names: readonly Name[]): Record<Name, string> {
  const given = new URLSearchParams(useAddress(searchNow))
  const entries = names.map((name) => [name, given.get(name) ?? ''])
  return Object.fromEntries(entries) as Record<Name, string>
}

/**
 * Replaces the entry in the history: "back" leads to the page before, and "back" from a later page
 * leads to this very list.
 */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const all = { ...Object.fromEntries(new URLSearchParams(location.search)), ...changes }
  const given = Object.entries(all).filter(([, value]) => value !== '')
  history.replaceState(null, '', urlOf(placeNow(), Object.fromEntries(given)))
  announce()
}
