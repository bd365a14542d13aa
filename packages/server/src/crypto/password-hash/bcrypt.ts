import { createHash } from 'node:crypto'
import { nativeModule } from '../../kernel/native-module.ts'
import { type HashKind, randomSalt, type Scheme, shareOfCeiling } from './scheme.ts'

const native = nativeModule<typeof import('bcrypt')>({
  name: 'bcrypt',
  orElse: 'take bcrypt and bcrypt_sha256 out of PASSWORD_HASHERS if nobody has such a hash',
})

/** As in Django: the logarithm of the number of rounds. */
const COST = 12
/** The limits of bcrypt itself. */
const COSTS = { least: 4, most: 31 }

const SALT_CHARACTERS = 22
const DIGEST_CHARACTERS = 31

// bcrypt has its own base64 alphabet: the same characters but two, in another order. So it is
// converted to and from base64url, which has no padding either.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BCRYPT64 = `./${LETTERS}`
const BASE64URL = `${LETTERS}-_`

/** bcrypt uses only the first 72 bytes of a password. */
export const bcrypt = createBcrypt('bcrypt', {
  prefix: '(?:bcrypt\\$)?',
  prepare: (password) => password,
})

/**
 * Django's variant hashes the password with SHA-256 first. The result always has 64 characters, so
 * that no part of the password is ignored.
 */
export const bcryptSha256 = createBcrypt('bcrypt_sha256', {
  prefix: 'bcrypt_sha256\\$',
  prepare: (password) => createHash('sha256').update(password).digest('hex'),
})

function createBcrypt(
  name: string,
  { prefix, prepare }: { prefix: string; prepare(password: string): string },
): Scheme {
  // 2a, 2b and 2y name the same algorithm. They tell which old bugs the writer had.
  const pattern = new RegExp(
    `^${prefix}\\$2[aby]\\$(\\d\\d)\\$([./A-Za-z0-9]{${SALT_CHARACTERS}})([./A-Za-z0-9]{${DIGEST_CHARACTERS}})$`,
  )

  const encode = (cost: number, salt: string, digest: string) =>
    `${name}$$2b$${String(cost).padStart(2, '0')}$${salt}${digest}`

  const kindOf = (cost: number): HashKind => ({
    // Both schemes share the label: beside bcrypt, the time of one SHA-256 does not matter.
    label: `bcrypt$${cost}`,
    rounds: 1,
    share: shareOfCeiling.bcrypt(cost),
    specimen: encode(cost, '.'.repeat(SALT_CHARACTERS), '.'.repeat(DIGEST_CHARACTERS)),
    async derive(password, salt) {
      // Always 2b: the 2a of the library has the old bug of counting the length in one byte.
      const settled = `$2b$${String(cost).padStart(2, '0')}$${toBcrypt64(salt)}`
      const encoded = await native.load().hash(Buffer.from(prepare(password)), settled)
      return fromBcrypt64(encoded.slice(-DIGEST_CHARACTERS))
    },
  })

  return {
    native,

    current: kindOf(COST),

    newSalt: randomSalt,

    write: (salt, digest) => encode(COST, toBcrypt64(salt), toBcrypt64(digest)),

    read(encoded) {
      const [, twoDigits, salt, digest] = pattern.exec(encoded) ?? []
      if (!twoDigits || !salt || !digest) return null

      const cost = Number(twoDigits)
      if (cost < COSTS.least || cost > COSTS.most) return null

      return {
        kind: kindOf(cost),
        salt: fromBcrypt64(salt),
        digest: fromBcrypt64(digest),
        isCurrent: cost >= COST,
      }
    },
  }
}

/** Bits after the last whole byte are dropped, since some old writers left garbage there. */
function fromBcrypt64(text: string): Buffer {
  return Buffer.from(respell(text, BCRYPT64, BASE64URL), 'base64url')
}

function toBcrypt64(bytes: Uint8Array): string {
  return respell(Buffer.from(bytes).toString('base64url'), BASE64URL, BCRYPT64)
}

function respell(text: string, from: string, to: string): string {
  return text.replace(/./g, (character) => to.charAt(from.indexOf(character)))
}
