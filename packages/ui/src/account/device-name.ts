import { say } from '../words.ts'

/** The first that fits counts: others name themselves after these. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** "Firefox on Linux", as far as a browser tells it. */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser && system) return say('devices.on', { browser, system })
  return browser ?? system ?? (userAgent.split(/[\s/]/)[0] || say('devices.unknown'))
}

const nameIn = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([sign]) => sign.test(text))?.[1]
