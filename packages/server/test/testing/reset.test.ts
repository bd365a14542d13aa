import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUsers } from '../../src/testing/new-users.ts'
import { openSpace, type Space } from '../../src/testing/space.ts'
import { commonOf, settingsOf } from '../../src/testing/space-settings.ts'

let space: Space

beforeAll(async () => {
  space = await openSpace({
    ...settingsOf(commonOf({}), 1, []),
    ...{ name: '', url: 'http://localhost:1', log: pino({ level: 'silent' }) },
    seed: [{ username: 'seeded' }],
  })
})
afterAll(() => space.close())

/** What this process has worked, in milliseconds, whatever else the machine does. */
function worked(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const found = async (q: string) => {
  const actor = { kind: 'host', name: 'a test', may: 'all' } as const
  const { results } = await space.service.services.operations.call(actor, 'users.find', { q })
  return results.map(({ username }) => username)
}

test('the first reset after two hundred users takes less than 50 ms of work', async () => {
  await addUsers(
    space,
    Array.from({ length: 200 }, (_, n) => ({ username: `visitor${n}` })),
  )
  const before = worked()
  await space.reset()
  expect(worked() - before).toBeLessThan(50)
})

test('a reset takes its users out of the search, and leaves the others in it', async () => {
  await addUsers(space, [{ username: 'visitor' }])
  expect(await found('visit')).toEqual(['visitor'])
  await space.reset()
  expect(await found('visit')).toEqual([])
  expect(await found('seed')).toEqual(['seeded'])
  await addUsers(space, [{ username: 'visitor' }])
  expect(await found('visit')).toEqual(['visitor'])
})

test('work that fails has changed nothing, and the work in line after it goes on', async () => {
  await space.reset()
  const add = (...names: string[]) =>
    space.allOrNothing(() =>
      addUsers(
        space,
        names.map((username) => ({ username })),
      ),
    )
  const [bad, good] = await Promise.allSettled([add('ada', 'seeded'), add('ada', 'bob')])
  expect(bad).toMatchObject({ reason: { message: expect.stringContaining('users[1]: username') } })
  expect(good).toMatchObject({ value: [{ user: { pk: 2 } }, { user: { pk: 3 } }] })
  expect(await found('')).toEqual(expect.arrayContaining(['seeded', 'ada', 'bob']))
  await space.settle()
  expect(space.events.state().map(({ user }) => user?.username)).toEqual(['seeded', 'ada', 'bob'])
})
