/** The colours that follow from `SITE_COLOR`, as custom properties of the stylesheet. */
export function themeOf(color: string): string {
  const accent = rgbOf(color)
  const light = readableOn(WHITE, accent, BLACK)
  const dark = readableOn(NIGHT, accent, WHITE)
  const onAccent = contrast(accent, WHITE) >= READABLE ? WHITE : BLACK
  return `:root{--accent:${color};--on-accent:${hexOf(onAccent)};--link:${hexOf(light)}}
@media(prefers-color-scheme:dark){:root{--link:${hexOf(dark)}}}`
}

type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** The dark background of the stylesheet. */
const NIGHT: Rgb = [27, 29, 35]
/** The contrast that WCAG 2 requires of text (AA). */
const READABLE = 4.5
const STEPS = 20

/** The colour itself, or mixed with another one until text in it can be read. */
function readableOn(background: Rgb, color: Rgb, other: Rgb): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, other, step / STEPS)
    // A little more than needed, for the tinted backgrounds of the stylesheet.
    if (contrast(mixed, background) >= READABLE * 1.15) return mixed
  }
  return other
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  Math.round(a[0] + (b[0] - a[0]) * share),
  Math.round(a[1] + (b[1] - a[1]) * share),
  Math.round(a[2] + (b[2] - a[2]) * share),
]

function contrast(a: Rgb, b: Rgb): number {
  const [brighter, darker] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return ((brighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function rgbOf(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(color.slice(at, at + 2), 16),
  )
  return [red, green, blue]
}

const hexOf = (rgb: Rgb): string => `#${Buffer.from(rgb).toString('hex')}`
