import unhomoglyph from 'unhomoglyph'
import { USERNAME_MAX } from './names.ts'

/** In UTF-16 units, of which a character has two at most. */
const UNITS_MAX = 2 * USERNAME_MAX
const NOT_ASCII = /[^\p{ASCII}]+/gu

/**
 * What a username looks like: names with equal skeletons can be taken for each other (Unicode
 * Technical Standard 39). Letters of other alphabets become the Latin ones they resemble before
 * case is folded, since some do so as capitals only. Case does not count in names, so `i` is also
 * `I`, which looks like `l`.
 */
export function skeletonOf(username: string): string {
  // No name is that long, and normalisation is slow on hostile text.
  if (username.length > UNITS_MAX) return username
  const latin = username.normalize('NFD').replace(NOT_ASCII, (part) => unhomoglyph(part))
  const alike = unhomoglyph(latin.toLowerCase().normalize('NFD'))
  return alike.toLowerCase().replaceAll('i', 'l').normalize('NFD')
}
