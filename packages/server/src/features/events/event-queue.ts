import type { Failure, Outcome, Queue } from '../../core/delivery/deliver-due.ts'
import type { DeliveryOutcome } from '../../core/metrics.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
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
import { pauseAfter } from './pauses.ts'
import type { Receiver } from './receiver.ts'

/** The first event of a line that this worker has claimed. */
type Claimed = { row: EventRow; line: Line; claim: string }

type Needs = {
  db: Db
  events: Events
  clock: Clock
  log: Log
  count(outcome: DeliveryOutcome): void
}

/**
 * What waits for one receiver. Its lines are independent of each other. Within a line the next event
 * is not begun before the former one is delivered or given up.
 */
export function createEventQueue(receiver: Receiver, needs: Needs): Queue<Line, Claimed> {
  const { db, events, clock, log, count } = needs

  return {
    findDue: (now, most) => findDueLines(db, receiver.name, now, most),

    async claim(line, now, until) {
      const claim = randomHex(16)
      if (!(await claimLine(db, line, claim, now, until))) return undefined
      const row = await takeFirst(db, line)
      if (row) return { row, line, claim }
      // Its events were forgotten, since they had waited for too long.
      await transaction(db, (tx) => goOn(line, claim, tx))
      return undefined
    },

    async send({ row }): Promise<Outcome> {
      const event = events.open(row)
      if (event) return receiver.tell(event)
      return { status: 'hopeless', reason: 'it was sealed by a secret key that is no longer known' }
    },

    pauseAfter: ({ row }) => pauseAfter(row.attempts),

    async settle({ row, line, claim }) {
      await transaction(db, (tx) => goOn(line, claim, tx, () => removeEvent(tx, row.id)))
      count('sent')
      log.info(named(row), 'event delivered')
    },

    async postpone({ row, line, claim }, until, { status, reason, error }: Failure) {
      await releaseLine(db, line, claim, until)
      count('failed')
      const why = { status, reason, ...(error !== undefined && { err: error }) }
      log.warn({ ...named(row), ...why }, 'event not delivered; it will be tried again')
    },

    async bury({ row, line, claim }, reason) {
      await transaction(db, (tx) => goOn(line, claim, tx, () => markDead(tx, row.id)))
      count('dead')
      log.error(
        { ...named(row), reason },
        'event given up; "latchkey webhooks retry" delivers it again',
      )
    },
  }

  /**
   * Makes the next event due, or closes the line. It is locked first, since a new event may be about
   * to join. If the claim is over, the line is left to the worker who has it by now.
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
