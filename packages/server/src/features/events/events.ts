import type { AccountEvent, EventDetails } from '../../core/hooks.ts'
import { isoTime, isWithin, SECOND } from '../../kernel/clock.ts'
import type { EventKind } from '../../kernel/event-kinds.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { UpToUsers } from '../users/feature.ts'
import {
  addEvent,
  type EventRow,
  findListener,
  forgetDeadOfUser,
  openLine,
} from './events-queries.ts'
import { HOOKS, type Receiver } from './receivers.ts'

export type Events = ReturnType<typeof createEvents>

type Needs = UpToUsers & {
  receivers: readonly Receiver[]
  /** Called when events wait to be delivered. */
  onEvent(): void
}

/** How long an instance may not notice that another one has new hooks. */
const READ_EVERY = 5 * SECOND

type SealedEvent = Pick<EventRow, 'event_id' | 'receiver' | 'sealed_event'>

/**
 * The transaction that causes an event also writes a row for each receiver. So no answer waits for a
 * receiver, and a crash loses no event.
 */
export function createEvents(needs: Needs) {
  const { receivers, asHookUser, sealedBox, clock, onEvent, metrics } = needs
  let elsewhere: { kinds: readonly string[]; readAt: number } | null = null

  return {
    /**
     * Costs next to nothing if there is no receiver. The transaction holds the line until its end, so
     * the numbers in the line follow the order of the commits.
     */
    async note<K extends EventKind>(
      type: K,
      user: User,
      details: EventDetails[K],
      tx: Tx,
    ): Promise<void> {
      if (type === 'registered') afterCommit(tx, metrics.countSignUp)
      const listening = await listenersTo(type, tx)
      if (listening.length === 0) return
      const now = clock.now()
      const id = `evt_${randomHex(16)}`
      const event = { id, type, timestamp: isoTime(now), user: asHookUser(user), ...details }
      const text = JSON.stringify(event)
      for (const receiver of listening) {
        const { last_number } = await openLine(tx, { receiver, user_id: user.id }, now)
        await addEvent(tx, {
          number: last_number,
          event_id: id,
          receiver,
          user_id: user.id,
          kind: type,
          sealed_event: sealedBox.seal(text, eventOwner(id, receiver)),
          state: 'queued',
          attempts: 0,
          created_at: now,
        })
        afterCommit(tx, () => metrics.countEvent('queued'))
      }
      afterCommit(tx, onEvent)
    },

    /** Returns null if it was sealed with a key that is gone. */
    open({ event_id, receiver, sealed_event }: SealedEvent): AccountEvent | null {
      const text = sealedBox.open(sealed_event, eventOwner(event_id, receiver))
      return text === null ? null : JSON.parse(text)
    },

    /** Deletes events that were given up. Receivers still get the others, and the deletion last. */
    forgetUser: (userId: number, tx: Tx) => forgetDeadOfUser(tx, userId),
  }

  /** Always in the same order, in which their lines are locked. */
  async function listenersTo(type: EventKind, tx: Tx): Promise<string[]> {
    const names = receivers.filter(({ kinds }) => kinds.has(type)).map(({ name }) => name)
    if (names.includes(HOOKS)) return names
    return (await kindsElsewhere(tx)).includes(type) ? [HOOKS, ...names] : names
  }

  /** What the hooks of other instances listen to. A command has no hooks of its own. */
  async function kindsElsewhere(tx: Tx): Promise<readonly string[]> {
    const now = clock.now()
    if (elsewhere && isWithin(READ_EVERY, elsewhere.readAt, now)) return elsewhere.kinds
    const kinds = (await findListener(tx, HOOKS))?.kinds.split(',') ?? []
    elsewhere = { kinds, readAt: now }
    return kinds
  }
}

export const eventOwner = (id: string, receiver: string): string => `event:${id}:${receiver}`
