import * as Type from '@sinclair/typebox'
import { orNull, Time } from '../../core/schemas.ts'
import { optional, text } from '../../http/fields.ts'
import { moment } from '../../http/user-field.ts'
import { type Pk, readPk } from '../../kernel/ids.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import { NO_USER, OPERATOR_KINDS } from '../audit/audit.ts'
import { pksOfUsers } from '../users/find-users.ts'
import { AuditEntry, answerAudit } from './answer-audit.ts'
import { pk } from './fields-of-operations.ts'
import {
  type Asked,
  LIST,
  listOf,
  type Needs,
  operation,
  type Position,
  page,
} from './operation.ts'

const TEXT_MAX = 254
const QUEUE_ID_MAX = 64
const ALL = 'all'
/** An id that no row has. `NO_USER` is the id of rows that are about nobody. */
const NOT_FOUND = -1

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

const WAITING = { scope: 'mails', needs: 'staff' } as const

type Queue = { retry(id: string | null, tx: Tx): Promise<number> }

/** What happened, and what waits to be delivered. */
export function recordOperations(house: Needs) {
  const { db, audit, users, delivery, deliveries, cursors } = house
  const hasUuids = house.settings.USER_PK === 'uuid'

  /** A kind, a pk or the id of a key, or a name. */
  function operatorIn(given: string) {
    const isKind = OPERATOR_KINDS.some((kind) => kind === given)
    if (isKind) return { column: 'operator_kind', is: given } as const
    const key = readPk(given)
    if (key === null) return { column: 'operator_name', is: given } as const
    return { column: 'operator_pk', is: String(key) } as const
  }

  /** The user may be deleted. */
  async function idOf(key: Pk | null): Promise<number> {
    if (key === null) return NOT_FOUND
    const user = await users.findByPk(key)
    if (user) return user.id
    if (typeof key === 'number') return hasUuids ? NOT_FOUND : key
    return (await audit.idOfDeleted(key)) ?? NOT_FOUND
  }

  async function pksOf(ids: readonly number[]): Promise<ReadonlyMap<number, Pk>> {
    const pks = await pksOfUsers(db, ids)
    return new Map(
      ids.flatMap((id) => {
        const key = pks.get(id) ?? (hasUuids ? undefined : id)
        return key === undefined ? [] : [[id, key] as const]
      }),
    )
  }

  /** A page of what waits. */
  async function waitingIn<Row extends { position: Position }>(
    list: string,
    asked: Asked,
    find: (most: number, after: Position) => Promise<Row[]>,
  ) {
    const { rows, next } = await cursors(list).page(
      asked,
      (after, most) => find(most, after),
      ({ position }) => position,
    )
    return { results: rows.map(({ position: _, ...shown }) => shown), next }
  }

  const retry = (what: 'mails' | 'events', summary: string, queue: Queue) =>
    operation({
      ...WAITING,
      changes: true,
      method: 'POST',
      path: `${what}/:id/retry/`,
      summary,
      input: { id: text({ max: QUEUE_ID_MAX }) },
      output: Retried,
      run: ({ permit, record }, { id }) =>
        transaction(db, async (tx) => {
          await permit({ user: null }, tx)
          const count = await queue.retry(id === ALL ? null : id, tx)
          if (count === 0 && id !== ALL) throw problem('not_found')
          await record(NO_USER, `${what}_retried`, tx, { [what]: id, count })
          return { retried: count }
        }),
    })

  return {
    'audit.find': operation({
      ...LIST,
      path: 'audit/',
      summary: 'What happened to accounts and what operators did, newest first',
      scope: 'audit',
      needs: 'staff',
      input: {
        user: optional(pk()),
        operator: optional(text({ max: TEXT_MAX })),
        event: optional(text({ max: TEXT_MAX })),
        since: optional(moment()),
        until: optional(moment()),
        ...page,
      },
      output: listOf(AuditEntry),
      async run(_actor, { limit, after, ...given }) {
        const filter = {
          ...given,
          operator: given.operator === undefined ? undefined : operatorIn(given.operator),
          userId: given.user === undefined ? undefined : await idOf(given.user),
        }
        const { rows, next } = await cursors('audit', given).page(
          { limit, after },
          ([at, id], most) =>
            audit.find(filter, at === undefined ? null : { at: Number(at), id: Number(id) }, most),
          ({ at, id }) => [at, id],
        )
        const pks = await pksOf(rows.map(({ user_id }) => user_id))
        return { results: answerAudit(rows, pks), next }
      },
    }),

    'mails.list': operation({
      ...WAITING,
      ...LIST,
      path: 'mails/',
      summary: 'Mails that wait or were given up, oldest first',
      input: page,
      output: listOf(Mail),
      run: (_, asked) => waitingIn('mails', asked, delivery.listUndelivered),
    }),

    'mails.retry': retry(
      'mails',
      'Try to send a mail again now, or with the id `all` every one',
      delivery,
    ),

    'events.list': operation({
      ...WAITING,
      ...LIST,
      path: 'events/',
      summary: 'Events that hooks and webhooks do not have yet, oldest first',
      input: page,
      output: listOf(Event),
      run: (_, asked) => waitingIn('events', asked, deliveries.listUndelivered),
    }),

    'events.retry': retry(
      'events',
      'Try to deliver an event again now, or with the id `all` every one',
      deliveries,
    ),
  }
}
