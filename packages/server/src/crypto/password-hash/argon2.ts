import { nativeModule } from '../../kernel/native-module.ts'
import { type HashKind, randomSalt, type Scheme, shareOfCeiling } from './scheme.ts'

const native = nativeModule<typeof import('@node-rs/argon2')>({
  name: '@node-rs/argon2',
  orElse: 'let PASSWORD_HASHERS begin with another, such as scrypt',
})

// The values of the library's enums, which exist only for the compiler and cannot be imported.
const VARIANTS = { argon2d: 0, argon2i: 1, argon2id: 2 } as const
const VERSIONS = { 16: 0, 19: 1 } as const

type Cost = {
  variant: keyof typeof VARIANTS
  version: keyof typeof VERSIONS
  /** In KiB. */
  memory: number
  passes: number
  lanes: number
}

/** OWASP's recommendation for argon2id. */
const CURRENT: Cost = { variant: 'argon2id', version: 19, memory: 19_456, passes: 2, lanes: 1 }
const DIGEST_BYTES = 32

/** A PHC string, or Django's form of it with a prefix. The oldest ones have no version. */
const PATTERN =
  /^(?:argon2)?\$(argon2(?:id|i|d))(?:\$v=(16|19))?\$m=(\d{1,10}),t=([1-9]\d{0,9}),p=([1-9]\d{0,7})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

/** New hashes have the given cost. Older ones are current if they cost at least as much. */
export const argon2Costing = (current: Cost): Scheme => ({
  native,

  current: kindOf(current, DIGEST_BYTES),

  newSalt: randomSalt,

  write: (salt, digest) => encode(current, salt, digest),

  read(encoded) {
    const [, variant, version = '16', memory, passes, lanes, salt, digest] =
      PATTERN.exec(encoded) ?? []
    if (!variant || !salt || !digest) return null

    const cost: Cost = {
      variant: variant as Cost['variant'],
      version: Number(version) as Cost['version'],
      memory: Number(memory),
      passes: Number(passes),
      lanes: Number(lanes),
    }
    // A lane needs eight blocks of one KiB.
    if (cost.memory < 8 * cost.lanes) return null

    const digestBytes = Buffer.from(digest, 'base64')
    return {
      kind: kindOf(cost, digestBytes.length),
      salt: Buffer.from(salt, 'base64'),
      digest: digestBytes,
      isCurrent: isAtLeast(current, cost),
    }
  },
})

export const argon2 = argon2Costing(CURRENT)

function kindOf(cost: Cost, outputLen: number): HashKind {
  return {
    label: labelOf(cost),
    rounds: 1,
    share: shareOfCeiling.argon2(cost),
    specimen: encode(cost, Buffer.alloc(16), Buffer.alloc(outputLen)),
    derive: async (password, salt) =>
      native.load().hashRaw(password, {
        algorithm: VARIANTS[cost.variant],
        version: VERSIONS[cost.version],
        memoryCost: cost.memory,
        timeCost: cost.passes,
        parallelism: cost.lanes,
        outputLen,
        salt,
      }),
  }
}

function encode(cost: Cost, salt: Buffer, digest: Buffer): string {
  return `$${labelOf(cost)}$${unpadded(salt)}$${unpadded(digest)}`
}

function labelOf({ variant, version, memory, passes, lanes }: Cost): string {
  return `${variant}$v=${version}$m=${memory},t=${passes},p=${lanes}`
}

function isAtLeast(current: Cost, { variant, version, memory, passes }: Cost): boolean {
  if (variant !== current.variant || version !== current.version) return false
  return memory >= current.memory && passes >= current.passes
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
