/** The value below which that share of the numbers lies. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (numbers) => quantile(numbers, 0.5)

/** Three significant digits are more than a measurement is worth. */
export function round(number) {
  if (number === null || !Number.isFinite(number)) return null
  return Number(number.toPrecision(3))
}

/** The medians of objects with the same numeric keys. */
export function medians(objects) {
  const keys = Object.keys(objects[0] ?? {})
  return Object.fromEntries(keys.map((key) => [key, median(objects.map((each) => each[key]))]))
}

export const thousands = (number) => Math.round(number).toLocaleString('en-US')
