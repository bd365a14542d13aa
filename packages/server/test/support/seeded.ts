/** Numbers from 0 to below the limit that look random, and are the same in every run. */
export type Random = (below: number) => number

/** mulberry32: small, and the same on every machine. */
export function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** One byte changed, a piece cut out, the end cut off, or something put in. */
export function damage(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const changed = Buffer.of((bytes[at] ?? 0) ^ (random(255) + 1))
  const added = Buffer.from(Array.from({ length: random(8) + 1 }, () => random(256)))
  const ways = [
    [before, changed, after.subarray(1)],
    [before, after.subarray(random(after.length) + 1)],
    [before],
    [before, added, after],
  ]
  return Buffer.concat(ways[random(ways.length)] ?? [])
}
