import type { NativeModule } from '../../kernel/native-module.ts'

/** One way to hash, its cost settled: what one verification of such a hash takes. */
export type Kind = {
  /** Algorithm and cost parameters. Where labels and rounds are equal, so is the work. */
  readonly label: string
  /**
   * Into how many equal pieces the work falls. Only PBKDF2's iterations are such pieces, any number
   * of which can be made up for later; every other algorithm is done as a whole, in one round.
   */
  readonly rounds: number
  derive(password: string, salt: Uint8Array, rounds: number): Promise<Buffer>
}

/** An encoded hash, taken apart. */
export type StoredHash = {
  readonly kind: Kind
  readonly salt: Buffer
  readonly digest: Buffer
  /** Whether it is of the algorithm of new hashes and costs at least as much as they do. */
  readonly isCurrent: boolean
}

/** How hashes of one algorithm are made and written down. */
export type Scheme = {
  /** The package that computes it; null where Node itself does. */
  readonly native: NativeModule | null
  /** The kind of new hashes. */
  readonly current: Kind
  newSalt(): Buffer
  write(salt: Buffer, digest: Buffer): string
  /**
   * Null for a hash of another scheme and for a malformed one. A cost far beyond any in use counts
   * as malformed: it can only be a damaged row, and computing it would stall every login.
   */
  read(encoded: string): StoredHash | null
}
