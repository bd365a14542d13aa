import type { Outcome, Queue } from '../../core/delivery/deliver-due.ts'
import { HOUR, MINUTE, SECOND } from '../../kernel/clock.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Failure } from '../../kernel/send-result.ts'
import type { Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import type { Events } from './events.ts'
import {
  claimLine,
  type EventRow,
  findDueLines,
  hasEvents,
  type Line,
  markDead,
  releaseLine,
  removeEvent,
  removeLine,
  takeFirst,
} from './events-queries.ts'
import type { Receiver } from './receivers.ts'

/** The first event of a line that this worker has claimed. */
type Claimed = { row: EventRow; line: Line; claim: string }

/** Pauses between tries. The last try is more than two days after the first. */
const PAUSES = [
  2 * SECOND,
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  16 * HOUR,
  24 * HOUR,
]

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'metrics'> & {
  events: Events
  noteWaiting(): Promise<void>
}

/**
 * The events that wait for one receiver. Lines are independent. Within a line an event waits until
 * the one before it is delivered or given up.
 */
export function createEventQueue(receiver: Receiver, needs: Needs): Queue<Line, Claimed> {
  const { db, events, noteWaiting, clock, log, metrics } = needs
  const own = [...receiver.kinds].join()

  return {
    noteWaiting,
    findDue: (now, most) => findDueLines(db, receiver.name, own, now, most),

    async claim(line, now, until) {
      const claim = randomHex(16)
      if (!(await claimLine(db, line, own, claim, now, until))) return undefined
      const row = await takeFirst(db, line)
      if (row) return { row, line, claim }
      // The sweep has deleted its events, which had waited too long.
      await transaction(db, (tx) => goOn(line, claim, tx))
      return undefined
    },

    async send({ row }): Promise<Outcome> {
      const event = events.open(row)
      if (event) return receiver.tell(event)
      return { status: 'hopeless', reason: 'it was sealed with a secret key that is gone' }
    },

    pauseAfter: ({ row }) => PAUSES[row.attempts - 1] ?? null,

    async settle({ row, line, claim }) {
      await transaction(db, (tx) => goOn(line, claim, tx, () => removeEvent(tx, row.id)))
      metrics.countEvent('sent')
      log.info(named(row), 'event delivered')
    },

    async postpone({ row, line, claim }, until, { status, reason, error }: Failure) {
      await releaseLine(db, line, claim, until)
      metrics.countEvent('failed')
      const why = { status, reason, ...(error !== undefined && { err: error }) }
      log.warn({ ...named(row), ...why }, 'event not delivered; it will be tried again')
    },

    async bury({ row, line, claim }, reason) {
      await transaction(db, (tx) => goOn(line, claim, tx, () => markDead(tx, row.id)))
      metrics.countEvent('dead')
      log.error(
        { ...named(row), reason },
        'event given up; "latchkey webhooks retry" delivers it again',
      )
    },
  }

  /**
   * Makes the next event due, or closes the line. Locks the line first, since a new event may be about
   * to join. If the claim has expired, the line belongs to another worker.
   */
  async function goOn(
    line: Line,
    claim: string,
    tx: Tx,
    dealWithFirst: () => Promise<void> = async () => {},
  ): Promise<void> {
    const isOurs = await releaseLine(tx, line, claim, clock.now())
    await dealWithFirst()
    if (isOurs && !(await hasEvents(tx, line))) await removeLine(tx, line)
  }

  function named({ event_id, kind, attempts }: EventRow) {
    return { event: event_id, type: kind, receiver: receiver.shownAs, attempts }
  }
}
