import { type Static, Type } from '@sinclair/typebox'
import { optional, text } from '../../http/fields.ts'
import { orNull } from '../../http/or-null.ts'
import { time } from '../../http/user-field.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { type Pk, readPk } from '../../kernel/ids.ts'
import { problem } from '../../kernel/problems.ts'
import type { UpToAccount } from '../account/feature.ts'
import { NO_USER, OPERATOR_KINDS } from '../audit/audit.ts'
import { pksOfUsers } from '../users/find-users.ts'
import { type Actor, operatorOf } from './actor.ts'
import { AuditEntry, answerAudit } from './answer-audit.ts'
import type { Cursors } from './cursors.ts'
import { pk } from './fields-of-operations.ts'
import { listOf, page } from './find-operations.ts'
import { operation } from './operation.ts'

type Needs = UpToAccount & { cursors: Cursors }

const TEXT_MAX = 254
const ID_MAX = 64
const ALL = 'all'

const Time = Type.String({ format: 'date-time' })
const waiting = {
  id: Type.String(),
  state: Type.String({ enum: ['queued', 'dead'], description: '`dead` was given up' }),
  attempts: Type.Integer({ examples: [1] }),
  created_at: Time,
  due_at: orNull(Time),
}
const Mail = Type.Object(
  { ...waiting, to: orNull(Type.String()), letter: orNull(Type.String()) },
  { $id: 'WaitingMail' },
)
const Event = Type.Object(
  { ...waiting, type: Type.String({ examples: ['registered'] }), receiver: orNull(Type.String()) },
  { $id: 'WaitingEvent' },
)
const Retried = Type.Object({ retried: Type.Integer({ examples: [1] }) }, { $id: 'Retried' })

const MAILS = { scope: 'mails', needs: 'staff', actsOn: null } as const

/** What happened, and what waits to be delivered. */
export function recordOperations(house: Needs) {
  const { db, audit, users, delivery, deliveries, cursors } = house

  /** A kind, a pk or the id of a key, or a name. */
  function operatorIn(given: string) {
    const isKind = OPERATOR_KINDS.some((kind) => kind === given)
    const column = isKind ? 'operator_kind' : readPk(given) ? 'operator_pk' : 'operator_name'
    return { column, is: given } as const
  }

  /** The user may be deleted. Nobody has the pk 0. */
  async function idOf(key: Pk | null): Promise<number> {
    if (key === null) return NO_USER
    const user = await users.findByPk(key)
    if (user) return user.id
    return typeof key === 'number' ? key : ((await audit.idOfDeleted(key)) ?? NO_USER)
  }

  async function pksOf(ids: readonly number[]): Promise<ReadonlyMap<number, Pk>> {
    const pks = await pksOfUsers(db, ids)
    const hasUuids = house.settings.USER_PK === 'uuid'
    return new Map(
      ids.flatMap((id) => {
        const key = pks.get(id) ?? (hasUuids ? undefined : id)
        return key === undefined ? [] : [[id, key] as const]
      }),
    )
  }

  async function retried(actor: Actor, what: 'mails' | 'events', id: string) {
    const queue = what === 'mails' ? delivery : deliveries
    const count = await queue.retry(id === ALL ? null : id)
    if (count === 0 && id !== ALL) throw problem('not_found')
    const details = { [what]: id, count }
    const event = `${what}_retried`
    await audit.record({ userId: NO_USER, event, details, operator: operatorOf(actor) })
    return { retried: count }
  }

  return {
    'audit.find': operation({
      method: 'GET',
      path: 'audit/',
      summary: 'What happened to accounts and what operators did, newest first',
      scope: 'audit',
      needs: 'staff',
      changes: false,
      actsOn: null,
      csv: true,
      input: {
        user: optional(pk()),
        operator: optional(text({ max: TEXT_MAX })),
        event: optional(text({ max: TEXT_MAX })),
        since: optional(time()),
        until: optional(time()),
        ...page,
      },
      output: listOf(AuditEntry),
      faults: { after: ['invalid_cursor'] },
      async run(_actor, { limit = 50, after, ...given }) {
        const cursor = cursors('audit', given)
        const [at, id] = cursor.read(after) ?? []
        const filter = {
          ...given,
          operator: given.operator === undefined ? undefined : operatorIn(given.operator),
          userId: given.user === undefined ? undefined : await idOf(given.user),
        }
        const start = at === undefined ? null : { at: Number(at), id: Number(id) }
        const rows = await audit.find(filter, start, limit + 1)
        const shown = rows.slice(0, limit)
        const last = rows.length > limit ? shown.at(-1) : undefined
        const pks = await pksOf(shown.map(({ user_id }) => user_id))
        return {
          results: answerAudit(shown, pks),
          next: cursor.write(last ? [last.at, last.id] : null),
        }
      },
    }),

    'mails.list': operation({
      ...MAILS,
      method: 'GET',
      path: 'mails/',
      summary: 'Mails that wait or were given up, oldest first',
      changes: false,
      input: page,
      output: listOf(Mail),
      faults: { after: ['invalid_cursor'] },
      async run(_actor, { limit = 50, after }) {
        const cursor = cursors('mails', {})
        const [at, id] = cursor.read(after) ?? [0, '']
        const mails = await delivery.listUndelivered(limit + 1, { at: Number(at), id: String(id) })
        const last = mails.length > limit ? mails[limit - 1] : undefined
        const results = mails.slice(0, limit).map((mail) => ({
          id: mail.id,
          state: mail.state,
          attempts: mail.attempts,
          created_at: isoTime(mail.postedAt),
          due_at: mail.state === 'dead' ? null : isoTime(mail.dueAt),
          to: mail.to,
          letter: mail.template,
        }))
        return { results, next: cursor.write(last ? [last.postedAt, last.id] : null) }
      },
    }),

    'mails.retry': operation({
      ...MAILS,
      method: 'POST',
      path: 'mails/:id/retry/',
      summary: 'Try to send a mail again now, or with the id `all` every one',
      changes: true,
      input: { id: text({ max: ID_MAX }) },
      output: Retried,
      run: (actor, { id }) => retried(actor, 'mails', id),
    }),

    'events.list': operation({
      ...MAILS,
      method: 'GET',
      path: 'events/',
      summary: 'Events that hooks and webhooks do not have yet, oldest first',
      changes: false,
      input: page,
      output: listOf(Event),
      faults: { after: ['invalid_cursor'] },
      async run(_actor, { limit = 50, after }) {
        const cursor = cursors('events', {})
        const [at, row] = cursor.read(after) ?? [0, 0]
        const start = { at: Number(at), id: Number(row) }
        const events = await deliveries.listUndelivered(limit + 1, start)
        const last = events.length > limit ? events[limit - 1] : undefined
        const results = events.slice(0, limit).map(
          (event): Static<typeof Event> => ({
            id: event.id,
            state: event.state,
            attempts: event.attempts,
            created_at: isoTime(event.notedAt),
            due_at: isoTimeOrNull(event.dueAt),
            type: event.type,
            receiver: event.receiver,
          }),
        )
        return { results, next: cursor.write(last ? [last.notedAt, last.row] : null) }
      },
    }),

    'events.retry': operation({
      ...MAILS,
      method: 'POST',
      path: 'events/:id/retry/',
      summary: 'Try to deliver an event again now, or with the id `all` every one',
      changes: true,
      input: { id: text({ max: ID_MAX }) },
      output: Retried,
      run: (actor, { id }) => retried(actor, 'events', id),
    }),
  }
}
