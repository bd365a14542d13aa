import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { forgetEmptyLines, openLine } from '../../../src/features/events/events-queries.ts'
import { DAY } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { countRows } from '../../support/dump.ts'
import { deliver, holding, hooksFor, inShort, retry } from '../../support/events.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const shown = (events: Parameters<typeof inShort>[0]) =>
  inShort(events).map(({ user, type }) => `${user} ${type}`)

test('the next event of a user waits for the former one, and those of others do not', async () => {
  const hook = holding(({ user, type }) => user.username === 'ada' && type === 'registered')
  const first = await startAuth({}, { shared: true, hooks: hooksFor(hook.hear) })
  const second = await startAuth({}, { beside: first, hooks: hooksFor(hook.hear) })
  await first.request.post('registration/', signup('ada'))
  const round = deliver(first)
  await hook.held

  await second.request.post('registration/', signup('grace'))
  await deliver(second)
  expect(shown(hook.begun)).toEqual(['ada registered', 'grace registered', 'grace signedIn'])

  hook.letGo()
  await round
  expect(shown(hook.begun).slice(3)).toEqual(['ada signedIn'])
  for (const table of ['events', 'event_lines'] as const) {
    expect(await countRows(first.db, table), table).toBe(0)
  }
})

test('an event that joins while the last one of the line is delivered is not lost', async () => {
  const hook = holding(({ type }) => type === 'registered')
  const auth = await startAuth({}, { hooks: hooksFor(hook.hear) })
  await auth.request.post('registration/', signup('ada'))
  const round = deliver(auth)
  await hook.held
  await auth.request.post('login/', { username: 'ada', password: signup('ada').password1 })
  hook.letGo()
  await round
  expect(shown(hook.begun)).toEqual(['ada registered', 'ada signedIn', 'ada signedIn'])
})

test('the order is that of the line, whatever ids a database hands out', async () => {
  const hook = holding(() => false)
  const auth = await startAuth({}, { hooks: hooksFor(hook.hear) })
  const logIn = () =>
    auth.request.post('login/', { username: 'ada', password: signup('ada').password1 })
  const turnIdsRound = () => sql`update events set id = -id`.execute(auth.db)
  await auth.request.post('registration/', signup('ada'))
  await logIn()
  await turnIdsRound()
  await sql`update events set state = 'dead' where kind = 'registered'`.execute(auth.db)
  await deliver(auth)
  expect(shown(hook.begun)).toEqual(['ada signedIn', 'ada signedIn'])

  // The line is closed. A new one must not begin before what was given up.
  await logIn()
  await turnIdsRound()
  await retry(auth)
  await deliver(auth)
  expect(shown(hook.begun).slice(2)).toEqual(['ada registered', 'ada signedIn'])
})

test.runIf(onPostgres)('of several instances one tells each event, in order', async () => {
  const told: string[] = []
  const hooks = hooksFor(({ user, id, type }) => void told.push(`${user.username} ${type} ${id}`))
  const instances = [await startAuth({}, { shared: true, hooks })]
  const [first] = instances
  if (!first) throw new Error('There is no instance.')
  while (instances.length < 3) instances.push(await startAuth({}, { beside: first, hooks }))
  const names = Array.from({ length: 8 }, (_, n) => `user${n}`)
  for (const name of names) await first.request.post('registration/', signup(name))
  await Promise.all([...instances, ...instances].map(deliver))
  expect(new Set(told).size).toBe(2 * names.length)
  expect(told).toHaveLength(2 * names.length)
  for (const name of names) {
    const own = told.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1])
    expect(own).toEqual(['registered', 'signedIn'])
  }
})

test.runIf(onPostgres)('an old line is not swept if an event joins it meanwhile', async () => {
  const auth = await startAuth({}, { shared: true })
  const operator = await connectBeside(auth)
  const line = { receiver: 'a receiver', user_id: 7 }
  const now = auth.clock.now()
  await openLine(auth.handle, line, now - 31 * DAY)
  await operator.query('begin')
  await operator.query('update event_lines set last_number = last_number + 1')
  const sweep = forgetEmptyLines(auth.handle, now - 30 * DAY, 100)
  await waitForWaiter(operator)
  await operator.query('commit')
  expect(await sweep).toBe(0)
  expect(await countRows(auth.db, 'event_lines')).toBe(1)
})

test('parallel changes of one user are told in the order of their commits', async () => {
  const told: (string | null)[] = []
  const hooks = {
    signedIn: ({ user }: { user: { last_login: string | null } }) => {
      told.push(user.last_login)
    },
  }
  const auth = await startAuth({}, { hooks })
  await auth.createUser({ username: 'ada' })
  for (let n = 0; n < 5; n++) {
    auth.clock.advance(1000)
    const logins = [1, 2].map(() =>
      auth.request.post('login/', { username: 'ada', password: PASSWORD }),
    )
    for (const { status } of await Promise.all(logins)) expect(status).toBe(200)
  }
  await deliver(auth)
  expect(told).toHaveLength(10)
  expect(told).toEqual(told.toSorted())
})
