/**
 * A password hash in the form that Django reads. It knows ours, but puts the name of the hasher in
 * front of those that begin with a dollar sign.
 */
export function djangoHash(hash: string): string {
  if (hash.startsWith('$argon2')) return `argon2${hash}`
  if (/^\$2[aby]\$/.test(hash)) return `bcrypt$${hash}`
  return hash
}
