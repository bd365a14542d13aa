import { decodeBase64url } from '../canonical.ts'

/** The bytes of a value of WebAuthn. The error names the value. */
export function bytesOf(text: unknown, name: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new Error(`${name} is not a text`)
  if (text.length > Math.ceil((maxBytes * 4) / 3)) throw new Error(`${name} is too long`)
  const bytes = decodeBase64url(text)
  if (!bytes) throw new Error(`${name} is not base64url`)
  // A copy, since small buffers share memory, and the decoders read all of it.
  return new Uint8Array(bytes)
}
