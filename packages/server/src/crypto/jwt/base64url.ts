/**
 * Null unless the text is the one canonical encoding of its bytes: no padding, no other alphabet,
 * no line breaks, no stray bits at the end. Otherwise one token could be written in many ways.
 */
export function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

export const encodeBase64url = (text: string): string => Buffer.from(text).toString('base64url')
