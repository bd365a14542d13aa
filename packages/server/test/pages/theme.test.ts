import { expect, test } from 'vitest'
import { themeOf } from '../../src/http/pages/theme.ts'

/** As WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map(luminance).toSorted((x, y) => y - x)
  return (a + 0.05) / (b + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const COLORS = [
  '#3b5bdb',
  '#ffcc00',
  '#000000',
  '#ffffff',
  '#00ff88',
  '#7f7f7f',
  '#ff0000',
  '#123456',
]

test.each(COLORS)('text in %s can be read, in light and dark', (color) => {
  const theme = themeOf(color)
  const [light = '', dark = ''] = [...theme.matchAll(/--link:(#\w{6})/g)].map(([, link]) => link)
  const onAccent = /--on-accent:(#\w{6})/.exec(theme)?.[1] ?? ''
  expect(theme).toContain(`--accent:${color}`)
  expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(dark, '#1b1d23')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(onAccent, color)).toBeGreaterThanOrEqual(4.5)
})
