import { expect, test } from 'vitest'
import {
  findFew,
  listBetween,
  positionLater,
} from '../../../src/features/users/find-users-queries.ts'
import { planOf, watchQueries } from '../../support/query-plans.ts'
import { startAuth } from '../../support/start-auth.ts'

const ALL = { texts: ['u'], state: undefined, since: undefined }

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
  const found = finderOf(auth)
  expect(await found('ada@one.example')).toEqual(['ada'])
  expect(await found('ada@two.example')).toEqual([])
  expect((await found('@one.ex')).toSorted()).toEqual(['ada', 'bob'])
})

test('a name is found by its end if few share that, otherwise by more of it', async () => {
  const started = await startAuth()
  const { db } = started.auth.services
  for (const name of ['ada.lovelace', 'bob.lovelace', 'eve']) {
    await started.createUser({ username: name, email: `${name}@a.example` })
  }
  const queries = watchQueries(started)
  /** How many are found, after how many searches. */
  const search = async (text: string, most: number) => {
    queries.length = 0
    const ids = await findFew(db, { ...ALL, texts: [text] }, most)
    return [ids?.length, queries.length]
  }
  expect(await search('ada.lovelace', 2)).toEqual([2, 1])
  expect(await search('ada.lovelace', 1)).toEqual([1, 2])
  expect(await search('eda.lovelace@a.example', 2)).toEqual([2, 1])
  expect(await search('ada.lovelace@a.example', 1)).toEqual([1, 2])
  expect(await search('velace@a.example', 1)).toEqual([undefined, 2])
  expect(await search('eve', 1)).toEqual([1, 1])

  const found = finderOf(started.auth)
  expect(await found('ada.lovelace@a.ex')).toEqual(['ada.lovelace'])
  expect(await found('eda.lovelace@a.ex')).toEqual([])
})

/** The names of the users on the first page of a search. */
const finderOf =
  ({ services }: Awaited<ReturnType<typeof startAuth>>['auth']) =>
  async (q: string): Promise<unknown[]> => {
    const host = { kind: 'host', name: 'support', may: 'all' } as const
    const { results } = await services.operations.call(host, 'users.find', { q })
    return results.map((one) => (one as { username: string }).username)
  }
