/**
 * A password hash in Django's form. Django reads our hashes, but expects the name of the hasher before
 * a dollar sign.
 */
export function djangoHash(hash: string): string {
  if (hash.startsWith('$argon2')) return `argon2${hash}`
  if (/^\$2[aby]\$/.test(hash)) return `bcrypt$${hash}`
  return hash
}
