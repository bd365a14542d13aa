/** What a clock on the wall of the time zone shows, as if it were UTC, to the second. */
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

/** When the clock showed that. Of the hour that comes twice in autumn, one of the two. */
export function timeOfWallClock(shown: number, timeZone: string): number {
  const offset = (at: number): number => wallClock(at, timeZone) - Math.floor(at / 1000) * 1000
  // The offset is the one of that time, which is not known yet. The second try begins close to it.
  return shown - offset(shown - offset(shown))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than using it. */
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
