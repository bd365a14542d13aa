import type { NativeModule } from '../../kernel/native-module.ts'

/** A hash algorithm with a fixed cost. */
export type Kind = {
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
  readonly kind: Kind
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
  readonly current: Kind
  newSalt(): Buffer
  write(salt: Buffer, digest: Buffer): string
  /** Null for a hash of another scheme and for a malformed one. */
  read(encoded: string): StoredHash | null
}
