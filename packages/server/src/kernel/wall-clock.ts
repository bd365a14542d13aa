/** The local time of a time zone, to the second, written as if it were UTC. */
export function wallClock(at: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value)
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
}

/**
 * The time at which the local clock shows this. The repeated hour in autumn gives one of the two.
 */
export function timeOfWallClock(shown: number, timeZone: string): number {
  const offset = (at: number): number => wallClock(at, timeZone) - Math.floor(at / 1000) * 1000
  // The offset depends on the result, which is not known yet. The second try starts close to it.
  return shown - offset(shown - offset(shown))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Cached, since making a format takes longer than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}
