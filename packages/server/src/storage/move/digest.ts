import { createHash } from 'node:crypto'
import type { Row } from './rows.ts'

/** Equal for two tables with the same rows, in any order and on any database. */
export type Digest = { rows: number; digest: string }

const WORDS = 8

/**
 * Adds up the SHA-256 of all rows, word by word. A sum does not depend on the order of the rows, which
 * the databases sort differently.
 */
export function createDigest() {
  const sums = new Uint32Array(WORDS)
  let count = 0

  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        const hash = createHash('sha256').update(JSON.stringify(row)).digest()
        for (let i = 0; i < WORDS; i++) sums[i] = (sums[i] ?? 0) + hash.readUInt32LE(4 * i)
      }
      count += rows.length
    },

    result: (): Digest => ({
      rows: count,
      digest: Buffer.from(sums.buffer).toString('hex'),
    }),
  }
}
