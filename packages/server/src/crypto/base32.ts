const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS_PER_CHARACTER = 5

/** RFC 4648 without padding: the form in which authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{1,${BITS_PER_CHARACTER}}`, 'g')) ?? []
  return groups
    .map((group) => ALPHABET.charAt(Number.parseInt(group.padEnd(BITS_PER_CHARACTER, '0'), 2)))
    .join('')
}

/** Reads only what `base32` has written. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) =>
    ALPHABET.indexOf(character).toString(2).padStart(BITS_PER_CHARACTER, '0'),
  ).join('')
  // The bits after the last whole byte are padding.
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
