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
  const pattern = new RegExp(
    `^${name}\\$([1-9]\\d{0,9})\\$([^$]+)\\$([A-Za-z0-9+/]{${characters}}=)$`,
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
      const [, iterations, salt, digest] = pattern.exec(encoded) ?? []
      if (!iterations || !salt || !digest) return null

      return {
        kind: kindOf(Number(iterations)),
        salt: Buffer.from(salt),
        digest: Buffer.from(digest, 'base64'),
        isCurrent: Number(iterations) >= ITERATIONS,
      }
    },
  }
}
