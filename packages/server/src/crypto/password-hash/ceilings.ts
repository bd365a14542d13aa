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
