/** The bounds of the proof at full size. */
const BOUND = 0.05

/**
 * The probability that a value of the first class is larger than one of the second (Mann-Whitney), ties counted
 * half. 0.5 means that the classes cannot be told apart.
 */
export function auc(first, second) {
  const all = [...first.map((ms) => ({ ms, isFirst: true })), ...second.map((ms) => ({ ms }))]
  all.sort((a, b) => a.ms - b.ms)
  let ranks = 0
  for (let i = 0; i < all.length; ) {
    let end = i + 1
    while (end < all.length && all[end].ms === all[i].ms) end += 1
    // Ranks begin at one, and equal values share the middle of theirs.
    const rank = (i + 1 + end) / 2
    for (; i < end; i++) if (all[i].isFirst) ranks += rank
  }
  const smallest = (first.length * (first.length + 1)) / 2
  return (ranks - smallest) / (first.length * second.length)
}

/** How far from 0.5 the value may be: with few samples chance alone leads further than the bound. */
export const tolerance = (samples) =>
  Math.max(BOUND, 3.3 * Math.sqrt((2 * samples + 1) / (12 * samples * samples)))
