import { type ScryptOptions, scrypt as scryptWithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import { type HashKind, randomTextSalt, type Scheme, shareOfCeiling } from './scheme.ts'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scryptWithCallback)

type Cost = { N: number; r: number; p: number }

/** As in Django since 5.1. */
const CURRENT: Cost = { N: 2 ** 14, r: 8, p: 5 }
const DIGEST_BYTES = 64

const DJANGO =
  /^scrypt\$(?<N>[1-9]\d{0,14})\$(?<salt>[^$]+)\$(?<r>[1-9]\d{0,9})\$(?<p>[1-9]\d{0,9})\$(?<digest>[A-Za-z0-9+/]{86}==)$/
/** Has the logarithm of N. */
const PHC =
  /^\$scrypt\$ln=(?<ln>[1-9]\d?),r=(?<r>[1-9]\d{0,9}),p=(?<p>[1-9]\d{0,9})\$(?<salt>[A-Za-z0-9+/]+)\$(?<digest>[A-Za-z0-9+/]{22,86})$/

export const scrypt: Scheme = {
  native: null,

  current: kindOf(CURRENT),

  newSalt: randomTextSalt,

  write: (salt, digest) => encode(CURRENT, salt.toString(), digest.toString('base64')),

  read(encoded) {
    const found = DJANGO.exec(encoded) ?? PHC.exec(encoded)
    const { N, ln, r, p, salt = '', digest = '' } = found?.groups ?? {}
    const cost: Cost = { N: ln ? 2 ** Number(ln) : Number(N), r: Number(r), p: Number(p) }
    if (!isPossible(cost)) return null

    const digestBytes = Buffer.from(digest, 'base64')
    return {
      kind: kindOf(cost, digestBytes.length),
      salt: Buffer.from(salt, ln ? 'base64' : 'utf8'),
      digest: digestBytes,
      isCurrent: !ln && cost.N >= CURRENT.N && cost.r >= CURRENT.r && cost.p >= CURRENT.p,
    }
  },
}

function encode({ N, r, p }: Cost, salt: string, digest: string): string {
  return `scrypt$${N}$${salt}$${r}$${p}$${digest}`
}

function kindOf(cost: Cost, digestBytes = DIGEST_BYTES): HashKind {
  return {
    label: `scrypt$${cost.N}$${cost.r}$${cost.p}`,
    rounds: 1,
    share: shareOfCeiling.scrypt(cost),
    specimen: encode(cost, 'salt', `${'A'.repeat(86)}==`),
    derive: (password, salt) =>
      derive(password, salt, digestBytes, { ...cost, maxmem: memoryOf(cost) }),
  }
}

/** RFC 7914, section 2: N is a power of two above 1 and below 2^(128r/8). */
function isPossible({ N, r }: Cost): boolean {
  return N >= 2 && Number.isInteger(Math.log2(N)) && N < 2 ** (16 * r)
}

/** N blocks to mix, one per lane and two to work in, each of 128r bytes. */
function memoryOf({ N, r, p }: Cost): number {
  return 128 * r * (N + p + 2)
}
