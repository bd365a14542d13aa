import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { type HashKind, randomTextSalt, type Scheme, shareOfCeiling } from './scheme.ts'

const derive = promisify(pbkdf2)

/** As in Django 6.1, for both digests. */
const ITERATIONS = 1_500_000

export const pbkdf2Sha256 = createPbkdf2('sha256', 32)
export const pbkdf2Sha1 = createPbkdf2('sha1', 20)

function createPbkdf2(algorithm: 'sha256' | 'sha1', digestBytes: number): Scheme {
  const name = `pbkdf2_${algorithm}`
  const characters = Math.ceil((digestBytes * 8) / 6)
  const django = new RegExp(
    `^${name}\\$([1-9]\\d{0,9})\\$([^$]+)\\$([A-Za-z0-9+/]{${characters}}=)$`,
  )
  // A PHC string, or passlib's form of it: without `i=`, with dots for pluses, and `pbkdf2` for SHA-1.
  const phc = new RegExp(
    `^\\$pbkdf2${algorithm === 'sha1' ? '(?:-sha1)?' : '-sha256'}\\$(?:i=)?([1-9]\\d{0,9})(?:,l=${digestBytes})?\\$([A-Za-z0-9+/.]+)\\$([A-Za-z0-9+/.]{${characters}})$`,
  )

  const encode = (iterations: number, salt: string, digest: string) =>
    `${name}$${iterations}$${salt}$${digest}`

  const kindOf = (iterations: number): HashKind => ({
    label: name,
    rounds: iterations,
    share: shareOfCeiling.pbkdf2(iterations),
    specimen: encode(iterations, 'salt', `${'A'.repeat(characters)}=`),
    derive: (password, salt, rounds) => derive(password, salt, rounds, digestBytes, algorithm),
  })

  return {
    native: null,

    current: kindOf(ITERATIONS),

    newSalt: randomTextSalt,

    write: (salt, digest) => encode(ITERATIONS, salt.toString(), digest.toString('base64')),

    read(encoded) {
      const ours = django.exec(encoded)
      const [, iterations, salt, digest] = ours ?? phc.exec(encoded) ?? []
      if (!iterations || !salt || !digest) return null

      return {
        kind: kindOf(Number(iterations)),
        salt: ours ? Buffer.from(salt) : fromPhc(salt),
        digest: fromPhc(digest),
        isCurrent: ours !== null && Number(iterations) >= ITERATIONS,
      }
    },
  }
}

const fromPhc = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')
