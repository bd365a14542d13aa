/**
 * How much a value grows per unit of time: the median of the slopes between all pairs of samples (Theil-Sen),
 * which single outliers do not move. `samples` are pairs of time and value.
 */
export function slopeOf(samples) {
  const slopes = []
  for (const [i, [t1, v1]] of samples.entries()) {
    for (const [t2, v2] of samples.slice(i + 1)) slopes.push((v2 - v1) / (t2 - t1))
  }
  slopes.sort((a, b) => a - b)
  return slopes[Math.floor(slopes.length / 2)] ?? Number.NaN
}
