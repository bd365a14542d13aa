import { createHmac } from 'node:crypto'

type Seeded = { seed: string; usedMask: number; count: number }

/** The unused codes of allauth, in their order. */
export function unusedCodes({ digits, ...seeded }: Seeded & { digits: number }): string[] {
  return unused(seeded, (seed, position) => {
    // Each code signs a longer text.
    const items = Array.from({ length: position + 1 }, (_, i) => `${String(i).padStart(3)},`)
    const signature = createHmac('sha1', seed).update(items.join('')).digest('hex')
    // Two digits take one byte of the signature, and an odd digit at the end takes none.
    const bytes = signature.slice(0, 2 * Math.floor(digits / 2))
    const number = BigInt(`0x0${bytes}`) % 10n ** BigInt(digits)
    return String(number).padStart(digits, '0')
  })
}

/** The unused codes of dj-rest-auth 7.2 and later: `0f1e-2d3c`. */
export const unusedOwnCodes = (seeded: Seeded): string[] =>
  unused(seeded, (seed, position) => {
    const key = Buffer.from(seed, 'hex')
    const signature = createHmac('sha256', key).update(String(position)).digest('hex')
    return `${signature.slice(0, 4)}-${signature.slice(4, 8)}`
  })

/** If bit `i` of the mask is set, code `i` is used. */
function unused(
  { seed, usedMask, count }: Seeded,
  codeAt: (seed: string, position: number) => string,
): string[] {
  const positions = Array.from({ length: count }, (_, i) => i)
  const isUsed = (position: number) => Math.floor(usedMask / 2 ** position) % 2 === 1
  return positions.filter((position) => !isUsed(position)).map((one) => codeAt(seed, one))
}
