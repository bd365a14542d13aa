import { isObject } from '../../kernel/json-object.ts'

/**
 * What a browser returns after a ceremony (`credential.toJSON()`). Only the parts with a known type
 * are listed.
 */
export type Credential = {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
  clientExtensionResults?: unknown
}

/** Returns null if the input does not have the shape of a credential. */
export function asCredential(input: unknown): Credential | null {
  if (!isObject(input) || !isObject(input.response)) return null
  const texts = [input.id, input.rawId, input.type]
  return texts.every((text) => typeof text === 'string') ? (input as Credential) : null
}

export const ES256 = -7
export const EDDSA = -8
export const RS256 = -257

/** The algorithms that a registration offers, best first. Keys of other algorithms are refused. */
export const offeredAlgorithms = [ES256, EDDSA, RS256]
