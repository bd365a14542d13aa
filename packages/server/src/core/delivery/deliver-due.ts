import { setImmediate as nextTurn } from 'node:timers/promises'
import { CLOCK_DIFFERENCE, type Clock, SECOND } from '../../kernel/clock.ts'
import { untilAborted, withDeadline } from '../../kernel/promises.ts'
import { type Failure, failure, type SendResult } from '../../kernel/send-result.ts'
import { isUnavailable } from '../../storage/faults.ts'

/** `hopeless`: no later try can succeed. */
export type Outcome = SendResult | { status: 'hopeless'; reason: string }

/** A queue in the database, which all instances share, and how its items are delivered. */
export type Queue<Key, Claimed> = {
  /**
   * Counts what waits, for the metrics. Called before each batch, not after the round, which goes on
   * for as long as the other side hangs.
   */
  noteWaiting(): Promise<void>
  /** The due items, oldest first. */
  findDue(now: number, most: number): Promise<readonly Key[]>
  /** Claims an item until the given time. Only one worker of all instances succeeds. */
  claim(key: Key, now: number, until: number): Promise<Claimed | undefined>
  /** Tries once. If it throws, the other side was not reached. */
  send(claimed: Claimed): Promise<Outcome>
  /** The pause before the next try, or null to give up. */
  pauseAfter(claimed: Claimed, failure: Failure): number | null
  settle(claimed: Claimed): Promise<void>
  postpone(claimed: Claimed, until: number, failure: Failure): Promise<void>
  bury(claimed: Claimed, reason: string): Promise<void>
}

type Limits = {
  /** How long one try may take. */
  deadlineMs: number
  /** How many tries run in parallel. */
  lanes: number
}

/** How a worker stops. */
export type Stopping = {
  /** Nothing else is begun. */
  isStopping(): boolean
  /** Aborts when the worker no longer waits for tries in progress. They have then failed. */
  givenUp: AbortSignal
}

const BATCH = 50
/**
 * A claim lasts this much longer than a try can take. If it expires, the process that held it must
 * have died.
 */
const CLAIM_MARGIN = 15 * SECOND

/** A claim that seems to last longer was made before the clock was set back, and nobody holds it. */
export const longestClaim = (longestDeadlineMs: number): number =>
  longestDeadlineMs + CLAIM_MARGIN + CLOCK_DIFFERENCE

/** While the database is away. */
const SETTLE_EVERY = SECOND
/** After this many misses in a row the round ends: the rest would fail, too. */
const MISSES_MAX = 5

const never = (): Stopping => ({
  isStopping: () => false,
  givenUp: new AbortController().signal,
})

/**
 * Delivers what is due, a few at a time, until nothing is left or the other side is unreachable. A
 * crash loses nothing: its claims expire, and then another worker tries.
 */
export function createDeliverDue<Key, Claimed>(
  queue: Queue<Key, Claimed>,
  { deadlineMs, lanes }: Limits,
  clock: Clock,
) {
  return async ({ isStopping, givenUp }: Stopping = never()): Promise<void> => {
    let misses = 0
    const mayGoOn = () => misses < MISSES_MAX && !isStopping()
    while (mayGoOn()) {
      await queue.noteWaiting()
      const due = await queue.findDue(clock.now(), BATCH)
      if (due.length === 0) return
      await inParallel(due, lanes, async (key) => {
        if (!mayGoOn()) return
        const outcome = await deliver(key, givenUp)
        if (outcome?.status === 'unreachable') misses += 1
        else if (outcome) misses = 0
        // On SQLite nothing else here lets requests run, unless the receiver waits for something.
        await nextTurn()
      })
    }
  }

  /** Returns null if another worker has claimed it, or it is too late to begin. */
  async function deliver(key: Key, givenUp: AbortSignal): Promise<Outcome | null> {
    const now = clock.now()
    const claimEnd = now + deadlineMs + CLAIM_MARGIN
    const claimed = await queue.claim(key, now, claimEnd)
    if (!claimed || givenUp.aborted) return null
    const sending = untilAborted(queue.send(claimed), givenUp)
    const outcome = await withDeadline(sending, deadlineMs).catch((error) =>
      failure('unreachable', error),
    )
    if (outcome.status === 'sent') await settle(claimed, claimEnd, givenUp)
    else if (outcome.status === 'hopeless') await queue.bury(claimed, outcome.reason)
    else await tryAgain(claimed, outcome)
    return outcome
  }

  /**
   * What is not settled when its claim ends is sent a second time. So this is repeated while the
   * database is away, and a last time when the worker stops.
   */
  async function settle(claimed: Claimed, claimEnd: number, givenUp: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await queue.settle(claimed)
      } catch (error) {
        const isLast = givenUp.aborted || clock.now() >= claimEnd
        if (isLast || !isUnavailable(error)) throw error
      }
      const pause = new Promise((resolve) => setTimeout(resolve, SETTLE_EVERY).unref())
      await untilAborted(pause, givenUp).catch(() => {})
    }
  }

  async function tryAgain(claimed: Claimed, failure: Failure): Promise<void> {
    const pause = queue.pauseAfter(claimed, failure)
    if (pause === null) await queue.bury(claimed, failure.reason)
    else await queue.postpone(claimed, clock.now() + pause, failure)
  }
}

/** Throws only when all lanes have ended: what the others have sent must still be settled. */
async function inParallel<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>) {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
