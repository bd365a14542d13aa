import { expect, test } from 'vitest'
import { listBetween, positionLater } from '../../../src/features/users/find-users-queries.ts'
import { planOf, watchQueries } from '../../support/query-plans.ts'
import { startAuth } from '../../support/start-auth.ts'

const ALL = { text: 'u', state: undefined, since: undefined }

test('a long search goes on in steps that share no user, and reads only the users of a step', async () => {
  const started = await startAuth()
  const { db } = started.auth.services
  const names = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7']
  for (const username of names) await started.createUser({ username })
  const queries = watchQueries(started)
  for (const by of ['joined', 'last_login', 'username'] as const) {
    for (const down of [false, true]) {
      const seen: string[] = []
      let after = null
      do {
        const to = await positionLater(db, ALL, { by, down }, after, 3)
        const users = await listBetween(db, ALL, { by, down }, { after, to }, 10)
        expect(users).toHaveLength(to ? 3 : 1)
        seen.push(...users.map(({ username }) => username))
        after = to
      } while (after)
      expect(seen).toEqual(down ? names.toReversed() : names)
    }
  }
  const steps = queries.filter(({ sql }) => /\) [<>] \(/.test(sql) && /\) [<>]= \(/.test(sql))
  expect(steps).toHaveLength(6)
  for (const step of steps) {
    // Both ends of the step are found in the index.
    const bothEnds = /INDEX \w+ \(.*>.* AND .*<.*\)|"Index Cond":"\(.* AND .*\)"/
    expect(await planOf(started, step)).toMatch(bothEnds)
  }
})

test('an address is found by its start, and only with its domain', async () => {
  const { auth, createUser } = await startAuth()
  for (const name of ['ada', 'bob'])
    await createUser({ username: name, email: `${name}@one.example` })
  const found = async (q: string) => {
    const host = { kind: 'host', name: 'support', may: 'all' } as const
    const { results } = await auth.services.operations.call(host, 'users.find', { q })
    return results.map((one) => (one as { username: string }).username)
  }
  expect(await found('ada@one.example')).toEqual(['ada'])
  expect(await found('ada@two.example')).toEqual([])
  expect((await found('@one.ex')).toSorted()).toEqual(['ada', 'bob'])
})
