import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { Specimen } from '../../crypto/password-hash/password-hasher.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Handle } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import { listHashKinds, listPasswords, putHashKind } from './hash-kinds-queries.ts'

export type HashKinds = ReturnType<typeof createHashKinds>

/** Far more than a service has. An import must not fill the table. */
const KINDS_MAX = 64
const BATCH = 2000

/**
 * The kinds of password hashes that users have. A failed login verifies one hash of each, so every
 * instance must know them all. They are rows of a small table, which every login reads. A hash of a
 * new kind adds its row in the transaction that stores it. The row outlives the last such hash.
 */
export function createHashKinds({ db, hasher }: Pick<Context, 'db' | 'hasher'>) {
  /** The rounds of kinds that are certainly in the table. */
  const stored = new Map<string, number>()
  const isNew = ({ key, rounds }: Specimen) => (stored.get(key) ?? 0) < rounds

  return {
    /**
     * Whether the password is the one of this hash. Null stands for an account that nobody can log in
     * to. Every failure costs the same: one hash of each kind.
     */
    async verify(password: string, hash: string | null, turn: Turn): Promise<boolean> {
      const kinds = await listHashKinds(db, KINDS_MAX)
      const specimens = kinds.map(({ specimen }) => specimen)
      return hasher.verify(password, hash, specimens, turn)
    },

    note,

    /**
     * Reads the hashes of all users the first time, and later only those of the newest users, which
     * another program may have written.
     */
    async learn(): Promise<void> {
      const isFilled = (await listHashKinds(db, 1)).length > 0
      const found = await specimensOfUsers(isFilled ? 1 : Number.POSITIVE_INFINITY)
      await put([...found, hasher.newest], db)
    },
  }

  /** Call it with every hash that is stored, and the handle that stores it. */
  async function note(hashes: readonly string[], within: Handle): Promise<void> {
    await put(
      hashes.flatMap((hash) => hasher.specimenOf(hash) ?? []),
      within,
    )
  }

  async function put(specimens: readonly Specimen[], within: Handle): Promise<void> {
    if (!specimens.some(isNew)) return
    const rows = await listHashKinds(within, KINDS_MAX)
    const known = new Map(rows.map(({ key, rounds }) => [key, rounds]))
    for (const one of mostExpensive(specimens)) {
      const before = known.get(one.key)
      if ((before ?? 0) < one.rounds && (before !== undefined || known.size < KINDS_MAX)) {
        await putHashKind(within, one)
        known.set(one.key, one.rounds)
      }
    }
    afterCommit(within, () => {
      for (const [key, rounds] of known) stored.set(key, rounds)
    })
  }

  async function specimensOfUsers(batches: number): Promise<Specimen[]> {
    let found: Specimen[] = []
    let upTo = ID_MAX
    for (let batch = 0; batch < batches; batch++) {
      const users = await listPasswords(db, upTo, BATCH)
      const specimens = users.flatMap(({ password }) => hasher.specimenOf(password) ?? [])
      found = mostExpensive([...found, ...specimens])
      const last = users.at(-1)
      if (!last) break
      upTo = last.id - 1
    }
    return found
  }
}

/** The specimen with the most rounds of each kind. */
function mostExpensive(specimens: readonly Specimen[]): Specimen[] {
  const byKey = new Map<string, Specimen>()
  for (const one of specimens) {
    if ((byKey.get(one.key)?.rounds ?? 0) < one.rounds) byKey.set(one.key, one)
  }
  return [...byKey.values()]
}
