import * as Type from '@sinclair/typebox'
import { createDeliverDue, longestClaim } from '../../core/delivery/deliver-due.ts'
import { createWaitingCount } from '../../core/delivery/waiting-count.ts'
import type { DossierEntry } from '../../core/every-feature.ts'
import { Time } from '../../core/schemas.ts'
import { DAY, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import { createEventQueue } from './event-queue.ts'
import type { Events } from './events.ts'
import {
  countWaiting,
  forgetEmptyLines,
  forgetListeners,
  isOverdue,
  keepListener,
  listEventsOfUser,
  listUndelivered,
  openLines,
  requeue,
} from './events-queries.ts'
import { HOOKS, LONGEST_DEADLINE, type Receiver } from './receivers.ts'

/** The position of an event in the queue. Empty before the first one. */
type Position = readonly (number | string)[]

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'metrics'> & {
  receivers: readonly Receiver[]
  events: Events
  /** Called when events wait to be delivered. */
  onEvent(): void
}

/** How many events a receiver gets in parallel. Each is about a different user. */
const LANES = 5
/** For events that were given up, and for those of a removed webhook. */
export const KEEP_FOR = 30 * DAY
/** How long an instance leaves events to other instances, which may have a hook for them. */
const LEFT_FOR = DAY
const LONGEST_CLAIM = longestClaim(LONGEST_DEADLINE)

export function createDeliveries(needs: Needs) {
  const { db, receivers, clock, log, metrics, onEvent } = needs
  const hooks = receivers.find(({ name }) => name === HOOKS)
  const noteWaiting = createWaitingCount({
    count: async () => (await countWaiting(db))?.count ?? 0,
    note: metrics.setWaitingEvents,
    clock,
  })
  // A command does not have the hooks of the host, but lists what waits for them.
  const names = new Map([
    [HOOKS, HOOKS],
    ...receivers.map(({ name, shownAs }) => [name, shownAs] as const),
  ])

  return {
    /** One for each receiver, so that a slow one does not hold up the others. */
    rounds: receivers.map((receiver) => {
      const queue = createEventQueue(receiver, { ...needs, noteWaiting })
      return createDeliverDue(queue, { deadlineMs: receiver.deadlineMs, lanes: LANES }, clock)
    }),

    announceHooks,

    /** The oldest first, for operators: without their users. */
    async listUndelivered(count: number, [at = 0, id = 0]: Position = []) {
      const rows = await listUndelivered(db, Number(at), Number(id), count)
      return rows.map(({ id, event_id, kind, receiver, state, attempts, created_at, due_at }) => ({
        position: [created_at, id],
        id: event_id,
        state,
        attempts,
        created_at: isoTime(created_at),
        due_at: state === 'dead' ? null : isoTimeOrNull(due_at),
        type: kind,
        // Null for a webhook that is no longer in the settings.
        receiver: names.get(receiver) ?? null,
      }))
    },

    /** Tries one event again for each receiver that lacks it, or all if the id is null. */
    async retry(id: string | null, tx: Tx): Promise<number> {
      await openLines(tx, clock.now(), LONGEST_CLAIM, id)
      const count = await requeue(tx, id)
      if (count > 0) afterCommit(tx, onEvent)
      return count
    },

    /**
     * Forgets the hooks of programs that are gone. Otherwise others would write events for them for
     * ever, and the events behind these would wait.
     */
    async forgetListeners(): Promise<number> {
      if (!hooks) return (await forgetListeners(db, clock.now() - KEEP_FOR)).length
      if (await isOverdue(db, HOOKS, clock.now() - LEFT_FOR)) await announceHooks()
      return 0
    },

    forgetEmptyLines: (most: number) => forgetEmptyLines(db, clock.now() - KEEP_FOR, most),
  }

  /** Tells commands, and instances with other hooks, which events the hooks of this one want. */
  async function announceHooks(): Promise<void> {
    if (!hooks) return
    try {
      await keepListener(db, { receiver: HOOKS, kinds: [...hooks.kinds].join() })
    } catch (error) {
      log.warn(
        { err: error },
        'other processes cannot find out which events the hooks want, and may not tell them',
      )
    }
  }
}

const Event = Type.Object({
  type: Type.String({ examples: ['signedIn'] }),
  state: Type.String({ examples: ['queued'] }),
  created_at: Time,
})

/** The undelivered events of the user. */
export const deliveriesEntry = (db: Db): DossierEntry => ({
  name: 'events',
  schema: Type.Array(Event),
  async read({ id }, most) {
    const rows = await listEventsOfUser(db, id, most)
    return rows.map(({ kind, state, created_at }) => ({
      type: kind,
      state,
      created_at: isoTime(created_at),
    }))
  },
})
