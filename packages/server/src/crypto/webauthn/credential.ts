import { isObject } from '../../kernel/json-object.ts'

/** What a browser hands over after a ceremony (`credential.toJSON()`), as far as it is certain. */
export type Credential = {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
  clientExtensionResults?: unknown
}

/** Null for whatever does not have the shape of a credential. */
export function asCredential(input: unknown): Credential | null {
  if (!isObject(input) || !isObject(input.response)) return null
  const texts = [input.id, input.rawId, input.type]
  return texts.every((text) => typeof text === 'string') ? (input as Credential) : null
}
