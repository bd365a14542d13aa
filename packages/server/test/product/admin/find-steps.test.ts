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
  const found = finderOf(auth)
  expect(await found('ada@one.example')).toEqual(['ada'])
  expect(await found('ada@two.example')).toEqual([])
  expect((await found('@one.ex')).toSorted()).toEqual(['ada', 'bob'])
})

test('a name is found by its end if few share that, and otherwise by the whole', async () => {
  const started = await startAuth()
  await started.createUser({ username: 'ada.lovelace', email: 'ada.lovelace@a.example' })
  const { id: _id, ...columns } = await started.findUser('ada.lovelace')
  const relatives = Array.from({ length: 100 }, (_, n) => {
    const name = `relative${n}.lovelace`
    return { ...columns, username: name, username_key: name, email_key: `${name}@a.example` }
  })
  const found = finderOf(started.auth)
  const queries = watchQueries(started)
  const searches = () => queries.splice(0).filter(({ sql }) => /match|like/.test(sql)).length

  await started.db.insertInto('users').values(relatives.slice(1)).execute()
  expect(await found('ada.lovelace')).toEqual(['ada.lovelace'])
  expect(await found('bob.lovelace@')).toEqual([])
  expect(searches()).toBe(2)

  await started.db.insertInto('users').values(relatives.slice(0, 1)).execute()
  expect(await found('ada.lovelace')).toEqual(['ada.lovelace'])
  expect(searches()).toBe(2)
  expect(await found('ada.lovelace@a.example')).toEqual(['ada.lovelace'])
  expect(searches()).toBe(2)
  expect(await found('relative7.lovelace@a.example')).toEqual(['relative7.lovelace'])
  expect(await found('lovelace@a.example')).toHaveLength(50)
})

/** The names of the users on the first page of a search. */
const finderOf =
  ({ services }: Awaited<ReturnType<typeof startAuth>>['auth']) =>
  async (q: string): Promise<unknown[]> => {
    const host = { kind: 'host', name: 'support', may: 'all' } as const
    const { results } = await services.operations.call(host, 'users.find', { q })
    return results.map((one) => (one as { username: string }).username)
  }
