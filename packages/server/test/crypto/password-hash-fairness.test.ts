import { expect, test } from 'vitest'
import { createHashSlots, type Turn } from '../../src/crypto/password-hash/hash-slots.ts'

const BUSY = { status: 503, headers: { 'Retry-After': '1' } }
const GONE = { status: 499 }

/** One slot that is taken until the test frees it, and a record of the order that follows. */
function startQueue(queue: number) {
  const slots = createHashSlots({ parallel: 1, queue })
  const served: string[] = []
  let end = () => {}
  const first = new Promise<void>((resolve) => {
    end = resolve
  })
  void slots.run({ client: 'first' }, () => first)

  return {
    served,
    ask: (name: string, turn: Turn) =>
      slots.run(turn, async () => {
        served.push(name)
      }),
    async serveAll(waiting: Promise<void>[]) {
      end()
      await Promise.allSettled(waiting)
    },
  }
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

test('a login never waits behind a registration', async () => {
  const { ask, served, serveAll } = startQueue(100)
  const waiting = [
    ...times(5, (i) => ask(`registration ${i}`, { client: `flooder ${i}` })),
    ask('login', { client: 'ada', isLogin: true }),
  ]
  await serveAll(waiting)
  expect(served[0]).toBe('login')
  expect(served).toHaveLength(6)
})

test('one client holds at most a quarter of the places', async () => {
  const { ask, served, serveAll } = startQueue(8)
  const flood = [
    ask('registration', { client: 'flooder' }),
    ask('login', { client: 'flooder', isLogin: true }),
  ]
  await expect(ask('third', { client: 'flooder' })).rejects.toMatchObject(BUSY)
  await expect(ask('third', { client: 'flooder', isLogin: true })).rejects.toMatchObject(BUSY)
  const honest = ask('honest', { client: 'ada', isLogin: true })
  await serveAll([...flood, honest])
  expect(served).toEqual(['login', 'honest', 'registration'])
})

test('a client that was served can ask again', async () => {
  const { ask, serveAll } = startQueue(4)
  await serveAll([ask('one', { client: 'ada' })])
  await ask('two', { client: 'ada' })
  await ask('three', { client: 'ada' })
})

test('registrations from everywhere leave half of the places to logins', async () => {
  const { ask, served, serveAll } = startQueue(8)
  const registrations = times(4, (i) => ask('registration', { client: `flooder ${i}` }))
  await expect(ask('fifth', { client: 'another' })).rejects.toMatchObject(BUSY)
  const logins = times(4, (i) => ask('login', { client: `user ${i}`, isLogin: true }))
  await expect(ask('ninth', { client: 'late', isLogin: true })).rejects.toMatchObject(BUSY)
  await serveAll([...registrations, ...logins])
  expect(served).toEqual([...times(4, () => 'login'), ...times(4, () => 'registration')])
})

test('clients take turns: a flood from one address delays another by one hash', async () => {
  const { ask, served, serveAll } = startQueue(100)
  const isLogin = true
  const waiting = [
    ...times(10, (i) => ask(`flood ${i}`, { client: 'flooder', isLogin })),
    ask('ada', { client: 'ada', isLogin }),
    ask('bob', { client: 'bob', isLogin }),
  ]
  await serveAll(waiting)
  expect(served.slice(0, 4)).toEqual(['flood 0', 'ada', 'bob', 'flood 1'])
  expect(served).toHaveLength(12)
})

test('a client that leaves gives up its place at once', async () => {
  const { ask, served, serveAll } = startQueue(4)
  const leaving = new AbortController()
  const left = ask('left', { client: 'ada', gone: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toMatchObject(GONE)
  const stays = ask('stays', { client: 'ada', gone: new AbortController().signal })
  await serveAll([stays])
  expect(served).toEqual(['stays'])
})

test('a client that has already gone gets no slot, even a free one', async () => {
  const slots = createHashSlots({ parallel: 1, queue: 1 })
  const turn = { client: 'ada', gone: AbortSignal.abort() }
  const hashes: string[] = []
  const refused = slots.run(turn, async () => void hashes.push('ada'))
  await expect(refused).rejects.toMatchObject(GONE)
  expect(hashes).toEqual([])
  await slots.run({ client: 'bob' }, async () => void hashes.push('bob'))
  expect(hashes).toEqual(['bob'])
})
