import { expect, test } from 'vitest'
import { DAY, SECOND } from '../../../src/kernel/clock.ts'
import { deliver, startListening } from '../../support/events.ts'
import { watchQueries } from '../../support/query-plans.ts'

const MANY = 1200

/** A service in which long queues wait for another day. */
async function startWithQueues() {
  const started = await startListening()
  const { auth, db, clock } = started
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const created_at = clock.now()
  for (let n = 0; n < MANY; n += 200) {
    const ids = Array.from({ length: 200 }, (_, at) => `${n + at}`)
    const mail = { user_id: null, sealed_letter: '', state: 'queued', attempts: 0 } as const
    const mails = ids.map((id) => ({ ...mail, id, due_at: created_at + DAY, created_at }))
    await db.insertInto('outbox').values(mails).execute()
    const event = { kind: 'signedIn', sealed_event: '', state: 'queued', attempts: 0 } as const
    const about = { ...event, receiver: 'hooks', user_id: 1, created_at }
    const events = ids.map((id) => ({ ...about, number: Number(id), event_id: id }))
    await db.insertInto('events').values(events).execute()
  }
  const queries = watchQueries(started)
  return {
    ...started,
    async round() {
      await auth.services.delivery.deliverDue()
      await deliver(started)
    },
    counts: () => queries.splice(0).filter(({ sql }) => sql.includes('count(*)')).length,
    async shown(): Promise<string[]> {
      const text = await auth.metrics.text()
      return text.match(/^latchkey_(mails|events)_waiting \d+$/gm)?.toSorted() ?? []
    },
  }
}

test('long queues are counted for the metrics, but not for every batch', async () => {
  const { request, db, clock, round, counts, shown } = await startWithQueues()
  await round()
  const queues = [`latchkey_events_waiting ${MANY}`, `latchkey_mails_waiting ${MANY}`]
  expect(await shown()).toEqual(queues)
  counts()
  await request.post('password/reset/', { email: 'ada@example.com' })
  for (const _ of [1, 2, 3]) await round()
  expect(counts()).toBe(0)
  await db.deleteFrom('outbox').where('state', '=', 'queued').execute()
  await db.deleteFrom('events').execute()
  expect(await shown()).toEqual(queues)
  clock.advance(5 * SECOND)
  await round()
  expect(counts()).toBe(2)
  expect(await shown()).toEqual(['latchkey_events_waiting 0', 'latchkey_mails_waiting 0'])
})
