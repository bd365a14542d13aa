/**
 * Decodes base64url as browsers write it: no padding, no other alphabet, no stray bits. Otherwise
 * one value could appear as two credentials or two challenges.
 */
export function bytesOf(text: unknown, name: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new Error(`${name} is not a text`)
  if (text.length > Math.ceil((maxBytes * 4) / 3)) throw new Error(`${name} is too long`)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new Error(`${name} is not base64url`)
  // A copy, since small buffers share their memory and the decoders look at all of it.
  return new Uint8Array(bytes)
}
