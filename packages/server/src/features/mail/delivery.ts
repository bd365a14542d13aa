import type { MailOutcome } from '../../core/metrics.ts'
import { type Clock, DAY, SECOND } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import type { Log } from '../../kernel/log.ts'
import type { Render } from '../../mailer/render.ts'
import {
  type Failure,
  failure,
  type MailTransport,
  type Outcome,
  PARALLEL_SENDS,
} from '../../mailer/transport.ts'
import type { Db } from '../../storage/handle.ts'
import type { LetterName } from './letter.ts'
import type { Outbox } from './outbox.ts'
import {
  claimMail,
  countQueued,
  findDueMails,
  forgetMails,
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
  metrics: { countMail(outcome: MailOutcome): void; setWaitingMails(count: number): void }
}

const BATCH = 50
const SEND_DEADLINE = 30 * SECOND
/**
 * A claim lasts longer than a try can take. Until then no other sender tries; after that the sender
 * must have died.
 */
const CLAIM = 45 * SECOND
/**
 * After so many mails without a server in a row, the round ends: the others would not find one
 * either.
 */
const MISSES_MAX = 5

const KEEP_SENT = DAY
const KEEP_DEAD = 30 * DAY

export function createDelivery(needs: Needs) {
  const { db, onMail, outbox, transport, render, site, clock, log, metrics } = needs

  return {
    deliverDue,

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

    /** Deletes at most `most` of each kind and returns their number. */
    async forgetOld(most: number): Promise<number> {
      const sent = await forgetMails(db, 'sent', clock.now() - KEEP_SENT, most)
      return sent + (await forgetMails(db, 'dead', clock.now() - KEEP_DEAD, most))
    },
  }

  function shown(row: OutboxRow): UndeliveredMail {
    const { id, attempts, created_at, due_at } = row
    const state = row.state === 'dead' ? 'dead' : 'queued'
    const { to = null, template = null } = outbox.open(row) ?? {}
    return { id, state, to, template, attempts, postedAt: created_at, dueAt: due_at }
  }

  /**
   * Sends what is due, a few mails in parallel, until nothing is left or the server is unreachable.
   */
  async function deliverDue(isStopping: () => boolean = () => false): Promise<void> {
    let misses = 0
    const mayGoOn = () => misses < MISSES_MAX && !isStopping()
    while (mayGoOn()) {
      const due = await findDueMails(db, clock.now(), BATCH)
      if (due.length === 0) break
      await inParallel(due, async ({ id }) => {
        if (!mayGoOn()) return
        const status = await deliver(id)
        if (status === 'unreachable') misses += 1
        else if (status !== null) misses = 0
      })
    }
    metrics.setWaitingMails((await countQueued(db))?.count ?? 0)
  }

  async function deliver(id: string): Promise<Outcome['status'] | null> {
    const now = clock.now()
    const row = await claimMail(db, id, now, now + CLAIM)
    // Another sender has it.
    if (!row) return null
    const outcome = await send(row)
    if (outcome === null) await bury(row, 'it was sealed by a secret key that is no longer known')
    else if (outcome.status === 'sent') await settle(row)
    else await tryAgainLater(row, outcome)
    return outcome?.status ?? null
  }

  async function send(row: OutboxRow): Promise<Outcome | null> {
    const letter = outbox.open(row)
    if (!letter) return null
    try {
      const { to, template, values } = letter
      const words = render(template, { site, ...values })
      const mail = { id: row.id, to, postedAt: row.created_at, ...words }
      const sending = withDeadline(transport.send(mail), SEND_DEADLINE)
      return await sending.catch((error) => failure('unreachable', error))
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

  async function tryAgainLater(row: OutboxRow, { status, reason }: Failure) {
    const { id, attempts, created_at } = row
    const now = clock.now()
    if (now - created_at >= GIVE_UP_AFTER) return bury(row, reason)
    await postpone(db, id, now + pauseAfter(attempts, status), outbox.sealedAnew(row))
    metrics.countMail('failed')
    log.warn({ mail: id, attempts, status, reason }, 'mail not sent; it will be tried again')
  }

  async function bury({ id, attempts }: OutboxRow, reason: string): Promise<void> {
    await markDead(db, id)
    metrics.countMail('dead')
    log.error({ mail: id, attempts, reason }, 'mail given up; "latchkey mail retry" sends it again')
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: PARALLEL_SENDS }, lane))
}
