/** The first that matches counts: most browsers also name others that they are compatible with. */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** `Firefox on Windows`, in words of our own. */
export function browserOf(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'an unknown program'
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system ? `${browser} on ${system}` : browser
}

/** An update makes no new device: `Chrome/126.0.0.0` and `Android 14` lose their numbers. */
export const withoutVersions = (userAgent: string): string =>
  userAgent.replace(/\/[^\s;)]*|\b\d+(?:[._]\d+)+|(?<=Android )\d+/g, '')

/**
 * The part of an address that stays when a provider gives its customer another one: half of an IPv4
 * address, a quarter of an IPv6 address.
 */
export const networkOf = (address: string): string =>
  address.includes(':')
    ? address.split(':').slice(0, 2).join(':')
    : address.split('.').slice(0, 2).join('.')
