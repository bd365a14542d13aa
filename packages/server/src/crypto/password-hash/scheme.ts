import type { NativeModule } from '../../kernel/native-module.ts'
import { randomBuffer, randomToken } from '../../kernel/random.ts'

/** A hash algorithm with a fixed cost. */
export type HashKind = {
  /** Algorithm and cost parameters. Equal labels and equal rounds mean equal work. */
  readonly label: string
  /**
   * The number of equal parts of the work. PBKDF2 can run any number of missing iterations later.
   * Every other algorithm is one round.
   */
  readonly rounds: number
  /** Its cost as a fraction of the ceiling. Above 1 it is never computed. */
  readonly share: number
  /** A hash of this kind that belongs to no user. Reading it gives the kind again. */
  readonly specimen: string
  derive(password: string, salt: Uint8Array, rounds: number): Promise<Buffer>
}

/** A parsed hash. */
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
  /** Returns null for a hash of another scheme, or a malformed one. */
  read(encoded: string): StoredHash | null
}

/**
 * The cost of a stored hash as a fraction of the ceiling. A hash above 1 is never computed:
 * otherwise one row with an absurd cost could occupy a core for minutes, or take all memory.
 *
 * A hash at the ceiling takes one core two to three seconds. Real deployments are far below:
 * Django's defaults are 1,500,000 iterations of PBKDF2 (6.1, growing by a fifth with each version),
 * 100 MiB × 2 of argon2, 2^14 × 8 × 5 of scrypt and 12 of bcrypt. The most expensive settings of
 * public projects are 15 of bcrypt, and 1 GiB passes of argon2.
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
