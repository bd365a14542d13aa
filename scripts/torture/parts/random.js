/** Random choices that are the same for the same seed (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0

  function fraction() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit) => Math.floor(fraction() * limit)
  return {
    below,
    pick: (list) => list[below(list.length)],
    chance: (probability) => fraction() < probability,
    shuffle(list) {
      const shuffled = [...list]
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = below(i + 1)
        ;[shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]]
      }
      return shuffled
    },
  }
}
