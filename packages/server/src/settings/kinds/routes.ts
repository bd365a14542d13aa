import { toObject } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, kind } from '../../kernel/setting-kinds/kind.ts'

/** From a path of the API to further paths: relative to the prefix, or absolute. */
export type Routes = Readonly<Record<string, readonly string[]>>

const SEGMENTS = String.raw`(?:(?!\.{1,2}/)(?:[\w.~-]+|\{[a-z]+\})/)+`
const KEY = new RegExp(`^${SEGMENTS}$`)
const PATH = new RegExp(`^/?${SEGMENTS}$`)

export type RoutesInput = Readonly<Record<string, string | readonly string[] | undefined>>

export const routes: Kind<Routes, RoutesInput> = kind(
  'an object whose keys are paths such as registration/ and whose values are one path or a list, such as register/ or /register/',
  (input) => {
    const object = toObject(input)
    if (!object) return undefined
    const entries = Object.entries(object).map(([key, value]) => {
      const paths = [value].flat().map((path) => (typeof path === 'string' ? withSlash(path) : ''))
      return [withSlash(key), paths] as const
    })
    const isGood = entries.every(
      ([key, paths]) => KEY.test(key) && paths.every((path) => PATH.test(path)),
    )
    return isGood ? Object.fromEntries(entries) : undefined
  },
  (value) => JSON.stringify(value),
)

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

/** The longest key that covers a path. It decides where the path leads. */
export const longestKey = (keys: readonly string[], path: string): string | undefined =>
  keys
    .filter((key) => path.startsWith(key))
    .toSorted((a, b) => b.length - a.length)
    .at(0)

/** Whether a page has a further path. */
export const isMoved = (routes: Routes, page: string): boolean =>
  longestKey(Object.keys(routes), page) !== undefined

/** Where a link in a mail leads: to the first further path of its page, if there is one. */
export function linkPath(prefix: string, routes: Routes, page: string): string {
  const key = longestKey(Object.keys(routes), page) ?? ''
  const [first] = routes[key] ?? []
  const path = first === undefined ? page : `${first}${page.slice(key.length)}`
  return path.startsWith('/') ? path : `${prefix}${path}`
}
