import { lookup } from 'node:dns'
import { type Clock, DAY, MINUTE, SECOND } from '../kernel/clock.ts'
import { isObject } from '../kernel/json-object.ts'
import { createRemembered } from '../kernel/remembered.ts'
import { createBreaker } from '../outbound/breaker.ts'
import { requestJson } from '../outbound/request.ts'
import { type KeyRing, keyRing } from './key-ring.ts'
import { type NamedKey, readKey, type VerifyingKey } from './read-key.ts'
import { TokenRefused } from './token-refused.ts'

const LIFETIME = 10 * MINUTE
/** Anybody can send tokens that name unknown keys, so such tokens must not cause more fetches. */
const PAUSE = 10 * SECOND
/** How long old keys are used while new ones cannot be fetched. */
const LONGEST_OUTAGE = DAY

const MAX_BYTES = 64 * 1024

type Needs = { url: URL; clock: Clock; timeoutMs: number }

/**
 * The public keys at an address. They are fetched on first use, once for all callers, and again
 * when they are old or a token names an unknown one. During an outage the last good ones are used.
 */
export function createPublishedKeys({ url, clock, timeoutMs }: Needs) {
  const bounds = { lookup, timeoutMs, maxBytes: MAX_BYTES }
  const breaker = createBreaker(clock)
  let last: { ring: KeyRing; since: number } | undefined
  return createRemembered(load, { clock, lifetimeMs: LIFETIME, refreshMs: PAUSE })

  async function load(): Promise<KeyRing> {
    try {
      const ring = keyRing(await fetchKeys())
      last = { ring, since: clock.now() }
      return ring
    } catch (cause) {
      if (last && clock.now() < last.since + LONGEST_OUTAGE) return last.ring
      throw new TokenRefused('keys_unavailable', { cause })
    }
  }

  async function fetchKeys(): Promise<NamedKey[]> {
    if (breaker.secondsLeft() > 0) throw new Error(`${url.origin} has failed several times.`)
    try {
      const { status, body } = await requestJson({ url: url.href }, bounds)
      if (status !== 200) throw new Error(`${url.href} answered ${status}.`)
      const keys = usableKeys(body)
      // An empty list is no outage: the service has withdrawn its keys.
      if (keys?.length === 0) last = undefined
      if (!keys?.length) throw new Error(`${url.href} has no public keys. ${HINT}`)
      breaker.noteAnswer()
      return keys
    } catch (error) {
      breaker.noteFailure()
      throw error
    }
  }
}

const HINT = 'A service that signs with a shared secret (HS256) publishes none: give `key` instead.'

/**
 * Ignores keys for other purposes, and shared secrets, which must never be published. Returns null if
 * this is no list of keys.
 */
function usableKeys(set: unknown): NamedKey[] | null {
  if (!isObject(set) || !Array.isArray(set.keys)) return null
  return set.keys.flatMap((jwk: unknown) => {
    if (!isObject(jwk) || jwk.kty === 'oct' || (jwk.use ?? 'sig') !== 'sig') return []
    try {
      return [readKey(jwk as VerifyingKey)]
    } catch {
      return []
    }
  })
}
