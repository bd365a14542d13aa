import { nameKey } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { stemOf } from '../usernames.ts'
import { findTaken } from './adopt-queries.ts'

export type NumberedNames = ReturnType<typeof createNumberedNames>

/** Which of these names users of the other service have, by their keys. Some may not be here yet. */
export type NamesThere = (names: readonly string[]) => Promise<ReadonlySet<string>>

type Others = {
  /** Whether a user of the batch needs the name with this key. */
  isReserved(key: string): boolean
  readonly namesThere: NamesThere
}

const FIRST = 2

/** A query looks up few names at first, then more. A statement takes a limited number of values. */
const FEW = 20
const MANY = 1000

/**
 * Adds a number to a name that is taken: `kim2`, `kim3` and so on, the first that is free. If names
 * are made for users, thousands may get the same. So counting goes on where it stopped.
 */
export function createNumberedNames() {
  const next = new Map<string, number>()

  /** For one batch. */
  return ({ isReserved, namesThere }: Others, tx: Tx) => {
    const open = new Map<string, AsyncGenerator<number, never>>()

    return async (name: string): Promise<string> => {
      const stem = stemOf(name)
      const numbers = open.get(stem) ?? freeNumbers(stem)
      open.set(stem, numbers)
      for (;;) {
        const { value: number } = await numbers.next()
        const numbered = `${stem}${number}`
        if (isReserved(nameKey(numbered))) continue
        // Most names need few numbers, which are not worth the memory.
        if (number > FEW) next.set(stem, number + 1)
        return numbered
      }
    }

    async function* freeNumbers(stem: string): AsyncGenerator<number, never> {
      let from = next.get(stem) ?? FIRST
      for (let count = FEW; ; count = Math.min(2 * count, MANY)) {
        const numbers = Array.from({ length: count }, (_, i) => from + i)
        const names = numbers.map((number) => `${stem}${number}`)
        const there = await namesThere(names)
        const taken = await findTaken(tx, 'username_key', names.map(nameKey))
        const isFree = (key: string) => !taken.has(key) && !there.has(key)
        yield* numbers.filter((number) => isFree(nameKey(`${stem}${number}`)))
        from += count
      }
    }
  }
}
