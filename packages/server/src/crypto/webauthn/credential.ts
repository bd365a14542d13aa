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

/** Null if the input does not have the shape of a credential. */
export function asCredential(input: unknown): Credential | null {
  if (!isObject(input) || !isObject(input.response)) return null
  const texts = [input.id, input.rawId, input.type]
  return texts.every((text) => typeof text === 'string') ? (input as Credential) : null
}
