import { expect, test } from 'vitest'
import type { AccountEvent, AfterHooks } from '../../../src/core/hooks.ts'
import { DAY, SECOND } from '../../../src/kernel/clock.ts'
import { countRows } from '../../support/dump.ts'
import { deliver } from '../../support/events.ts'
import { statementsOf } from '../../support/queries.ts'
import { planOf, tablesReadWhole, watchQueries } from '../../support/query-plans.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

/* Instances over one database whose programs have different hooks, as during an upgrade. */

async function startWith(hooks: AfterHooks, beside?: StartedAuth) {
  const started = await startAuth({}, { hooks, ...(beside ? { beside } : { shared: true }) })
  await started.auth.services.deliveries.announceHooks()
  return started
}

const ADA = { username: 'ada', email: '', password: null, verified: false, active: true }
const nothing = () => {}

test('an instance leaves what it has no hook for to one that has it', async () => {
  const heard: string[] = []
  let isDown = true
  const old = await startWith({ deleted: nothing })
  const fresh = await startWith(
    {
      deleted: nothing,
      registered({ user }) {
        if (isDown) throw new Error('The customer database is down.')
        heard.push(user.username)
      },
    },
    old,
  )
  const { db, clock } = fresh
  await fresh.administration.create(ADA)
  await deliver(fresh)
  isDown = false
  clock.advance(2 * SECOND)
  await deliver(old)
  const rows = await db.selectFrom('events').select(['kind', 'attempts']).execute()
  expect(rows).toEqual([{ kind: 'registered', attempts: 1 }])
  await deliver(fresh)
  expect(heard).toEqual(['ada'])
  expect(await countRows(db, 'event_lines')).toBe(0)
})

test('it takes the next event of the user, which both have a hook for', async () => {
  const heard: string[] = []
  const hear =
    (who: string) =>
    ({ type }: AccountEvent) =>
      void heard.push(`${who}: ${type}`)
  const old = await startWith({ deleted: hear('old') })
  const fresh = await startWith({ deleted: hear('fresh'), registered: hear('fresh') }, old)
  await old.administration.create(ADA)
  await old.administration.remove(await old.findUser('ada'))
  await deliver(old)
  expect(heard).toEqual([])
  const [round] = fresh.auth.services.deliveries.rounds
  const givenUp = new AbortController().signal
  await round?.({ isStopping: () => heard.length > 0, givenUp })
  await deliver(old)
  expect(heard).toEqual(['fresh: registered', 'old: deleted'])
})

test('what happens at an instance without hooks is told by one that has them', async () => {
  const heard: string[] = []
  const first = await startWith({ registered: ({ user }) => void heard.push(user.username) })
  const bare = await startAuth({}, { beside: first })
  await bare.administration.create(ADA)
  await deliver(bare)
  await deliver(first)
  expect(heard).toEqual(['ada'])
})

test('the lines to take are found by an index', async () => {
  const started = await startWith({ registered: nothing })
  await started.administration.create(ADA)
  const queries = watchQueries(started)
  await deliver(started)
  const ofLines = queries.filter(({ sql }) => sql.includes('event_listeners'))
  expect(ofLines.map(({ sql }) => sql.split(' ')[0])).toEqual(['select', 'update', 'select'])
  for (const query of ofLines) {
    const whole = tablesReadWhole(await planOf(started, query), started.auth.connection.engine)
    // It has one row.
    expect(whole.filter((table) => table !== 'event_listeners')).toEqual([])
  }
})

test('an event that no instance has a hook for any more holds up nothing', async () => {
  const heard: string[] = []
  const hooks: AfterHooks = { deleted: ({ type }) => void heard.push(type) }
  const former = await startWith({ ...hooks, registered: nothing })
  await former.administration.create(ADA)
  await former.administration.remove(await former.findUser('ada'))
  const next = await startWith(hooks, former)
  await deliver(next)
  expect(heard).toEqual(['deleted'])
  expect(await countRows(next.db, 'events')).toBe(0)
})

test('hooks that were all removed are forgotten when their events are', async () => {
  const former = await startWith({ registered: nothing })
  const bare = await startAuth({}, { beside: former })
  const { db, clock } = bare
  await bare.administration.create(ADA)
  clock.advance(30 * DAY - 1)
  await bare.auth.sweep()
  expect(await countRows(db, 'event_listeners')).toBe(1)
  clock.advance(1)
  await former.auth.sweep()
  expect(await countRows(db, 'event_listeners')).toBe(1)

  await former.administration.create({ ...ADA, username: 'grace' })
  clock.advance(30 * DAY)
  await bare.auth.sweep()
  await bare.administration.create({ ...ADA, username: 'mary' })
  expect(await countRows(db, 'events')).toBe(0)
})

test('an instance without hooks asks only now and then whether another has some', async () => {
  const bare = await startAuth()
  const add = (username: string) => () => bare.administration.create({ ...ADA, username })
  const asksFor = async (username: string) =>
    (await statementsOf(bare, add(username))).filter((text) => text.includes('event_listeners'))
  expect(await asksFor('ada')).toHaveLength(1)
  expect(await asksFor('grace')).toHaveLength(0)
  bare.clock.advance(5 * SECOND)
  expect(await asksFor('mary')).toHaveLength(1)
})

test('an instance that was the last to start, and is gone, holds nothing up', async () => {
  const heard: string[] = []
  const old = await startWith({ deleted: nothing, registered: nothing })
  const fresh = await startWith({ deleted: ({ user }) => void heard.push(user.username) }, old)
  await old.auth.services.deliveries.announceHooks()
  await fresh.administration.create(ADA)
  await fresh.administration.remove(await fresh.findUser('ada'))
  await deliver(fresh)
  expect(heard).toEqual([])
  fresh.clock.advance(DAY)
  await fresh.auth.sweep()
  await deliver(fresh)
  expect(heard).toEqual(['ada'])
})
