/** The first match wins, since most browsers also name others that they are compatible with. */
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
 * The browser and the system in a `User-Agent` header, in fixed words, because the client chooses
 * the header itself. Undefined if unknown. The hosted pages also use this.
 */
export const readUserAgent = (text: string) => ({
  browser: nameIn(BROWSERS, text),
  system: nameIn(SYSTEMS, text),
})

const nameIn = (names: Names, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]
