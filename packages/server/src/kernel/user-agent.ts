/** The first that fits counts, since most browsers also name others that they are compatible with. */
const BROWSERS: Names = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|OPiOS\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** What the owner of a device would call it. */
const SYSTEMS: Names = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPad/, 'iPad'],
  [/iPhone|iPod/, 'iPhone'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]

type Names = readonly (readonly [RegExp, string])[]

/**
 * The browser and the system in a `User-Agent` header, in fixed words: the header itself is chosen by
 * the client. Undefined if they are not known. The hosted pages use it, too.
 */
export const readUserAgent = (text: string) => ({
  browser: nameIn(BROWSERS, text),
  system: nameIn(SYSTEMS, text),
})

const nameIn = (names: Names, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]
