/**
 * Decodes only the canonical encoding: no padding, no other alphabet, no line breaks, no stray bits
 * at the end. Returns null otherwise. If other spellings were accepted, one token could be written
 * in many ways.
 */
export function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

export const encodeBase64url = (text: string): string => Buffer.from(text).toString('base64url')
