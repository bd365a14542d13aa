import type { HookClaims } from '../hooks.ts'

/** An access token must fit into a cookie, of which browsers take 4096 bytes. */
const BYTES_MAX = 2048
const DEPTH_MAX = 10

/** Copies what the hook has returned. Throws if a token cannot have these claims. */
export function readClaims(given: unknown, own: readonly string[]): HookClaims {
  if (given === undefined) return {}
  if (!isPlain(given)) throw new TypeError('claims() must return an object, or nothing.')
  const taken = Object.keys(given).find((name) => own.includes(name))
  if (taken !== undefined) throw new TypeError(`The claim ${taken} is set by the service itself.`)
  const strange = Object.keys(given).find((name) => !isJson(given[name], DEPTH_MAX))
  if (strange !== undefined) throw new TypeError(`The claim ${strange} is not JSON.`)
  const text = JSON.stringify(given)
  const bytes = Buffer.byteLength(text)
  if (bytes > BYTES_MAX) {
    throw new RangeError(`The claims take ${bytes} bytes; at most ${BYTES_MAX} fit into a token.`)
  }
  return JSON.parse(text)
}

/** Whether it is written and read again without a loss. What is undefined is left out on purpose. */
function isJson(value: unknown, depth: number): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (depth === 0) return false
  const hasMembers = Array.isArray(value) || isPlain(value)
  return hasMembers && Object.values(value).every((member) => isJson(member, depth - 1))
}

/** Not a `Map` or a `Date`, whose contents would be lost. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]'
