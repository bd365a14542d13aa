import type { JWK } from 'jose'
import { ALGORITHMS } from './algorithms.ts'

const MAX_KEYS = 100
const PUBLIC_KEY_TYPES = ['RSA', 'EC', 'OKP']

/** The keys of a published set that may verify signatures. Other keys are ignored. */
export function usableKeys(keySet: unknown): JWK[] | null {
  const { keys } = (keySet ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) return null
  return keys.slice(0, MAX_KEYS).filter(isUsable)
}

function isUsable(key: unknown): key is JWK {
  if (typeof key !== 'object' || key === null) return false
  const { kty, use, alg, key_ops, d, k } = key as JWK
  return (
    PUBLIC_KEY_TYPES.includes(kty ?? '') &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || ALGORITHMS.includes(alg)) &&
    (key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'))) &&
    d === undefined &&
    k === undefined
  )
}
