import type { NativeModule } from '../../kernel/native-module.ts'
import { randomBuffer, randomToken } from '../../kernel/random.ts'

/** A hash algorithm with a fixed cost. */
export type HashKind = {
  /** Algorithm and cost parameters. Equal labels and equal rounds mean equal work. */
  readonly label: string
  /**
   * The number of equal parts of the work. PBKDF2 can run any number of missing iterations later.
   * Every other algorithm runs as a whole, as one round.
   */
  readonly rounds: number
  /** Its cost as a part of the ceiling. Above 1 it is never computed. */
  readonly share: number
  /** A hash of this kind that nobody has. Reading it gives the kind again. */
  readonly specimen: string
  derive(password: string, salt: Uint8Array, rounds: number): Promise<Buffer>
}

/** An encoded hash, taken apart. */
export type StoredHash = {
  readonly kind: HashKind
  readonly salt: Buffer
  readonly digest: Buffer
  /** Whether it has the algorithm of new hashes and at least their cost. */
  readonly isCurrent: boolean
}

/** How hashes of one algorithm are made and encoded. */
export type Scheme = {
  /** The package that computes it; null if Node itself does. */
  readonly native: NativeModule | null
  /** The kind of new hashes. */
  readonly current: HashKind
  newSalt(): Buffer
  write(salt: Buffer, digest: Buffer): string
  /** Null for a hash of another scheme and for a malformed one. */
  read(encoded: string): StoredHash | null
}

/**
 * How dear a stored hash is, as a part of the most that one may cost. Above 1 it is never computed:
 * one row with an absurd cost would otherwise hold a processor for minutes, or take all memory.
 *
 * A hash at its ceiling takes one core two to three seconds. What deployments use is far below:
 * Django's defaults are 1,500,000 iterations of PBKDF2 (6.1, growing by a fifth with each version),
 * 100 MiB × 2 of argon2, 2^14 × 8 × 5 of scrypt and 12 of bcrypt. The dearest that public projects
 * set are 15 of bcrypt, and 1 GiB passes of argon2.
 */
export const shareOfCeiling = {
  pbkdf2: (iterations: number): number => iterations / 5_000_000,

  /** The cost is a logarithm. */
  bcrypt: (cost: number): number => 2 ** (cost - 15),

  /** Memory is in KiB: 512 MiB at a time, 2 GiB over all passes. A lane is a thread. */
  argon2: ({ memory, passes, lanes }: { memory: number; passes: number; lanes: number }): number =>
    Math.max(memory / 2 ** 19, (memory * passes) / 2 ** 21, lanes / 64),

  /**
   * 512 MiB at a time, and eight times the work of OWASP's recommendation. Every lane also costs two
   * runs of PBKDF2 over r blocks, which count where N is small.
   */
  scrypt: ({ N, r, p }: { N: number; r: number; p: number }): number =>
    Math.max((128 * N * r) / 2 ** 29, (N * r * p) / 2 ** 22, (r * p) / 2 ** 16),
}

const SALT_BYTES = 16

export const randomSalt = (): Buffer => randomBuffer(SALT_BYTES)

/**
 * Django's own formats store the salt as text and hash the bytes of that text. In hexadecimal a
 * scrypt hash would not fit into the 128 characters that Django has for it.
 */
export const randomTextSalt = (): Buffer => Buffer.from(randomToken(SALT_BYTES))
