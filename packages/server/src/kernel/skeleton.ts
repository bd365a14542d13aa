import unhomoglyph from 'unhomoglyph'
import { USERNAME_MAX } from './lengths.ts'

/** Counted in UTF-16 units, at most two per character. */
const UNITS_MAX = 2 * USERNAME_MAX
const NOT_ASCII = /[^\p{ASCII}]+/gu

/**
 * What a username looks like: people can confuse names with equal skeletons (Unicode Technical
 * Standard 39). Letters of other alphabets become the Latin letters they resemble. That happens
 * before case folding, since some resemble a Latin letter only as capitals. Names ignore case, so
 * `i` also counts as `I`, which looks like `l`.
 */
export function skeletonOf(username: string): string {
  // No name is that long, and normalisation takes quadratic time on hostile text.
  if (username.length > UNITS_MAX) return username
  const latin = username.normalize('NFD').replace(NOT_ASCII, (part) => unhomoglyph(part))
  const alike = unhomoglyph(latin.toLowerCase().normalize('NFD'))
  return alike.toLowerCase().replaceAll('i', 'l').normalize('NFD')
}
