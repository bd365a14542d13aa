import * as Type from '@sinclair/typebox'
import { createDeliverDue, longestClaim, type Queue } from '../../core/delivery/deliver-due.ts'
import { createWaitingCount } from '../../core/delivery/waiting-count.ts'
import type { DossierEntry } from '../../core/every-feature.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../../kernel/clock.ts'
import { randomHex } from '../../kernel/random.ts'
import { type Failure, failure, type SendResult } from '../../kernel/send-result.ts'
import type { Language } from '../../kernel/words/english.ts'
import type { Render } from '../../mailer/render.ts'
import { type MailTransport, PARALLEL_SENDS, SMTP_DEADLINE } from '../../mailer/transport.ts'
import type { Tx } from '../../storage/handle.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Context } from '../feature.ts'
import type { Letter, Outbox } from './outbox.ts'
import {
  claimMail,
  countQueued,
  endTry,
  findDueMails,
  findLanguage,
  listUndelivered,
  listUndeliveredOfUser,
  markSent,
  type OutboxRow,
  retryMails,
} from './outbox-queries.ts'

export type Delivery = ReturnType<typeof createDelivery>

/** The position of a mail in the queue. Empty before the first one. */
type Position = readonly (number | string)[]

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'metrics' | 'settings' | 'languages'> & {
  /** Called when mails wait to be sent. */
  onMail(): void
  outbox: Outbox
  transport: MailTransport
  render: Render
}

/** Unless the transport has its own. */
const SEND_DEADLINE = 30 * SECOND

const LONGEST_CLAIM = longestClaim(SMTP_DEADLINE)

/** After this time only an operator can send the mail. */
const GIVE_UP_AFTER = DAY

const FIRST_PAUSE = SECOND

/**
 * Pauses double up to this. An unreachable server is tried every 45 seconds, so that its return is
 * noticed soon. A server that refuses one mail is asked less and less often.
 */
const LONGEST_PAUSE = { unreachable: 45 * SECOND, deferred: 5 * MINUTE, refused: HOUR }

export const pauseAfter = (attempts: number, failure: keyof typeof LONGEST_PAUSE): number =>
  Math.min(FIRST_PAUSE * 2 ** Math.min(attempts, 30), LONGEST_PAUSE[failure])

export function createDelivery(needs: Needs) {
  const { db, onMail, outbox, transport, render, clock, log, metrics, languages } = needs
  const site = needs.settings.SITE_NAME
  const queue: Queue<{ id: string }, OutboxRow> = {
    noteWaiting: createWaitingCount({
      count: async () => (await countQueued(db))?.count ?? 0,
      note: metrics.setWaitingMails,
      clock,
    }),
    findDue: (now, most) => findDueMails(db, now, most),
    claim: ({ id }, now, until) => claimMail(db, id, randomHex(16), now, until),
    send,
    pauseAfter: ({ attempts, created_at }, { status }) =>
      clock.now() - created_at < GIVE_UP_AFTER ? pauseAfter(attempts, status) : null,

    async settle({ id, attempts }) {
      await markSent(db, id)
      metrics.countMail('sent')
      log.info({ mail: id, attempts }, 'mail sent')
    },

    async postpone(row, until, { status, reason }) {
      const { id, attempts } = row
      const changes = { due_at: until, sealed_letter: outbox.resealed(row) }
      if (!(await endTry(db, row, changes))) return
      metrics.countMail('failed')
      log.warn({ mail: id, attempts, status, reason }, 'mail not sent; it will be tried again')
    },

    async bury(row, reason) {
      const { id, attempts } = row
      if (!(await endTry(db, row, { state: 'dead' }))) return
      metrics.countMail('dead')
      log.error(
        { mail: id, attempts, reason },
        'mail given up; "latchkey mail retry" sends it again',
      )
    },
  }
  const { deadlineMs = SEND_DEADLINE } = transport

  return {
    deliverDue: createDeliverDue(queue, { deadlineMs, lanes: PARALLEL_SENDS }, clock),

    /** The oldest first. */
    async listUndelivered(count: number, [at = 0, id = '']: Position = []) {
      const rows = await listUndelivered(db, Number(at), String(id), count)
      return rows.map((row) => ({ position: [row.created_at, row.id], ...shown(row) }))
    },

    /** The newest first. */
    undeliveredOf: async (userId: number, count: number) =>
      (await listUndeliveredOfUser(db, userId, count)).map(shown),

    /** Tries one mail again, or all if the id is null. Returns how many. */
    async retry(id: string | null, tx: Tx): Promise<number> {
      const count = await retryMails(tx, clock.now(), LONGEST_CLAIM, id)
      if (count > 0) afterCommit(tx, onMail)
      return count
    },
  }

  /** A mail for operators, without its text and links. */
  function shown(row: OutboxRow) {
    const { id, state, attempts } = row
    // Null if it was sealed with a key that is gone.
    const { to = null, template: letter = null } = outbox.open(row) ?? {}
    const due_at = state === 'dead' ? null : isoTime(row.due_at)
    return { id, state, attempts, created_at: isoTime(row.created_at), due_at, to, letter }
  }

  async function send(row: OutboxRow): Promise<SendResult> {
    const letter = outbox.open(row)
    // Another instance may have sealed it with a new key, which this one does not know yet.
    if (!letter) return { status: 'deferred', reason: 'no secret key of this instance opens it' }
    const words = await wordsOf(row, letter)
    if ('status' in words) return words
    const mail = { id: row.id, to: letter.to, postedAt: row.created_at, letter, ...words }
    const result = await transport.send(mail).catch((error) => failure('unreachable', error))
    if (result.status === 'sent') return result
    return { ...result, reason: withoutValues(result.reason, letter) }
  }

  async function wordsOf(row: OutboxRow, letter: Letter): Promise<ReturnType<Render> | Failure> {
    const { template, values } = letter
    try {
      const language = await languageOf(row, letter)
      return render(template, { site, ...values }, language)
    } catch (error) {
      // The letter may come from a newer version that was rolled back.
      return failure('deferred', error)
    }
  }

  async function languageOf({ user_id }: OutboxRow, letter: Letter): Promise<Language> {
    if (!languages.isNegotiated) return languages.usual
    const user = user_id === null ? letter : await findLanguage(db, user_id)
    return languages.named(user?.language ?? null)
  }
}

const REASON_MAX = 300
/** Shorter values are no secrets, and would be found in any text. */
const SECRET_MIN = 4

/**
 * The reason goes to the log. It is written by the mail server or the host, and may quote the mail
 * with its links. Longer values are removed first, since a link contains others.
 */
function withoutValues(reason: string, { values }: Letter): string {
  const secrets = Object.values(values)
    .filter((value) => value.length >= SECRET_MIN)
    .sort((a, b) => b.length - a.length)
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), reason)
  return [...safe].slice(0, REASON_MAX).join('')
}

const Mail = Type.Object({
  kind: orNull(Type.String(), { examples: ['verify-email'] }),
  state: Type.String({ examples: ['queued'] }),
  created_at: Time,
})

/**
 * The undelivered mails of the user. Their links are secret. A letter to another address is left
 * out: it would tell whether somebody has that address.
 */
export const mailsEntry = ({ undeliveredOf }: Delivery): DossierEntry => ({
  name: 'mails',
  schema: Type.Array(Mail),
  async read({ id, email }, most) {
    const mails = (await undeliveredOf(id, most)).filter(({ to }) => to === email)
    return mails.map(({ letter, state, created_at }) => ({ kind: letter, state, created_at }))
  },
})
