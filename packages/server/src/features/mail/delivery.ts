import { createDeliverDue, type Failure, type Outcome } from '../../core/delivery/deliver-due.ts'
import type { DeliveryOutcome } from '../../core/metrics.ts'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Render } from '../../mailer/render.ts'
import { failure, type MailTransport, PARALLEL_SENDS } from '../../mailer/transport.ts'
import type { Db } from '../../storage/handle.ts'
import type { Letter, LetterName } from './letter.ts'
import type { Outbox } from './outbox.ts'
import {
  claimMail,
  countQueued,
  findDueMails,
  listUndelivered,
  listUndeliveredOfUser,
  markDead,
  markSent,
  type OutboxRow,
  postpone,
  retryMails,
} from './outbox-queries.ts'
import { GIVE_UP_AFTER, pauseAfter } from './retries.ts'

export type Delivery = ReturnType<typeof createDelivery>

/** What an operator sees of a mail: neither its text nor its links. */
export type UndeliveredMail = {
  id: string
  state: 'queued' | 'dead'
  /** Null if it was sealed with a key that is gone. */
  to: string | null
  template: LetterName | null
  attempts: number
  postedAt: number
  dueAt: number
}

type Needs = {
  db: Db
  /** Called when mails wait to be sent. */
  onMail(): void
  outbox: Outbox
  transport: MailTransport
  render: Render
  /** The name of the service in its mails. */
  site: string
  clock: Clock
  log: Log
  metrics: { countMail(outcome: DeliveryOutcome): void; setWaitingMails(count: number): void }
}

const SEND_DEADLINE = 30 * SECOND

export function createDelivery(needs: Needs) {
  const { db, onMail, outbox, transport, render, site, clock, log, metrics } = needs
  const queue = {
    findDue: (now: number, most: number) => findDueMails(db, now, most),
    claim: ({ id }: { id: string }, now: number, until: number) => claimMail(db, id, now, until),
    send,
    pauseAfter: ({ attempts, created_at }: OutboxRow, { status }: Failure) =>
      clock.now() - created_at < GIVE_UP_AFTER ? pauseAfter(attempts, status) : null,
    settle,
    postpone: tryAgainLater,
    bury,
  }
  const limits = { deadlineMs: SEND_DEADLINE, lanes: PARALLEL_SENDS }
  const deliverAll = createDeliverDue(queue, limits, clock)

  return {
    async deliverDue(isStopping?: () => boolean): Promise<void> {
      await deliverAll(isStopping)
      metrics.setWaitingMails((await countQueued(db))?.count ?? 0)
    },

    /** The oldest first. */
    listUndelivered: async (count: number): Promise<UndeliveredMail[]> =>
      (await listUndelivered(db, count)).map(shown),

    /** The newest first. */
    undeliveredOf: async (userId: number, count: number): Promise<UndeliveredMail[]> =>
      (await listUndeliveredOfUser(db, userId, count)).map(shown),

    /** Tries one mail again, or all without an id. Returns how many. */
    async retry(id: string | null): Promise<number> {
      const count = await retryMails(db, clock.now(), id)
      if (count > 0) onMail()
      return count
    },
  }

  function shown(row: OutboxRow): UndeliveredMail {
    const { id, attempts, created_at, due_at } = row
    const state = row.state === 'dead' ? 'dead' : 'queued'
    const { to = null, template = null } = outbox.open(row) ?? {}
    return { id, state, to, template, attempts, postedAt: created_at, dueAt: due_at }
  }

  async function send(row: OutboxRow): Promise<Outcome> {
    const letter = outbox.open(row)
    if (!letter)
      return { status: 'hopeless', reason: 'it was sealed by a secret key that is no longer known' }
    const words = wordsOf(letter)
    if ('status' in words) return words
    return transport.send({ id: row.id, to: letter.to, postedAt: row.created_at, ...words })
  }

  function wordsOf({ template, values }: Letter): ReturnType<Render> | Failure {
    try {
      return render(template, { site, ...values })
    } catch (error) {
      // For example a letter of a newer version that was rolled back. The other mails go on.
      return failure('deferred', error)
    }
  }

  async function settle({ id, attempts }: OutboxRow): Promise<void> {
    await markSent(db, id)
    metrics.countMail('sent')
    log.info({ mail: id, attempts }, 'mail sent')
  }

  async function tryAgainLater(
    row: OutboxRow,
    until: number,
    { status, reason }: Failure,
  ): Promise<void> {
    const { id, attempts } = row
    await postpone(db, id, until, outbox.sealedAnew(row))
    metrics.countMail('failed')
    log.warn({ mail: id, attempts, status, reason }, 'mail not sent; it will be tried again')
  }

  async function bury({ id, attempts }: OutboxRow, reason: string): Promise<void> {
    await markDead(db, id)
    metrics.countMail('dead')
    log.error({ mail: id, attempts, reason }, 'mail given up; "latchkey mail retry" sends it again')
  }
}
