import { type Clock, isWithin, SECOND } from '../../kernel/clock.ts'

/** So many are counted in less than a millisecond. */
const MANY = 1000
const COUNT_MANY_EVERY = 5 * SECOND

type Needs = { count: () => Promise<number>; note(count: number): void; clock: Clock }

/**
 * Counts what waits, for the metrics. Counting a long queue for every batch would slow its delivery
 * down, so it is counted only now and then.
 */
export function createWaitingCount({ count, note, clock }: Needs): () => Promise<void> {
  let known = { count: 0, at: 0 }
  return async () => {
    const at = clock.now()
    if (known.count > MANY && isWithin(COUNT_MANY_EVERY, known.at, at)) return
    known = { count: await count(), at }
    note(known.count)
  }
}
