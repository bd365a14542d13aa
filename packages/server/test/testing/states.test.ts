import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRecords } from '../../src/testing/records.ts'
import { commonOf } from '../../src/testing/space-settings.ts'
import { createSpaces } from '../../src/testing/spaces.ts'
import { callsTo, good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService({}, { atTheEnd: afterAll, seed: [{ username: 'seeded' }] })
})

beforeEach(async () => {
  await good(service.test('POST', 'reset'))
})

type Space = Pick<typeof service, 'test' | 'api'>
const add = (username: string, { test }: Space = service) =>
  good<{ user: { pk: number }; key: string }>(test('POST', 'users', { username }))
const isKnown = async (key: string, { api }: Space = service) =>
  (await api('GET', 'user/', undefined, { authorization: `Token ${key}` })).status === 200

test('a restored state has the rows, letters, events and time of its snapshot', async () => {
  const ada = await add('ada')
  await good(service.test('POST', 'clock', { freeze: '2030-01-01T00:00:00Z' }))
  const { id } = await good<{ id: string }>(service.test('POST', 'snapshot'))
  const bob = await add('bob')
  await good(service.api('POST', 'password/reset/', { email: 'bob@example.com' }))
  await good(service.test('POST', 'clock', { advance: '1d' }))
  expect(await good(service.test('GET', 'mail'))).toHaveLength(1)

  await good(service.test('POST', 'restore', { id }))
  expect(await isKnown(ada.key)).toBe(true)
  expect(await isKnown(bob.key)).toBe(false)
  expect(await good(service.test('GET', 'mail'))).toEqual([])
  expect(await good(service.test('GET', 'clock'))).toEqual({
    now: '2030-01-01T00:00:00.000Z',
    frozen: true,
  })
  // Ids go on as they did then, and the search finds only those who are there.
  expect((await add('carol')).user.pk).toBe(bob.user.pk)
})

test('a reset goes back to the seed and the real time, and forgets snapshots and faults', async () => {
  await add('ada')
  const { id } = await good<{ id: string }>(service.test('POST', 'snapshot'))
  await good(service.test('POST', 'clock', { set: '2040-01-01T00:00:00Z' }))
  await good(service.test('POST', 'faults', { database: 'down' }))
  await good(service.test('POST', 'reset'))
  const { now } = await good<{ now: string }>(service.test('GET', 'clock'))
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
  expect(await service.test('POST', 'restore', { id })).toMatchObject({ status: 404 })
  expect((await add('ada')).user.pk).toBe(2)
})

test('there is an end to snapshots, and wrong ids are refused', async () => {
  for (let count = 0; count < 20; count++) await good(service.test('POST', 'snapshot'))
  expect(await service.test('POST', 'snapshot')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('A reset forgets them.') },
  })
  expect(await service.test('POST', 'restore', {})).toMatchObject({ status: 400 })
  expect(await service.test('POST', 'restore', { id: 'x' })).toMatchObject({ status: 404 })
  expect(await service.test('POST', 'reset', { all: true })).toMatchObject({ status: 400 })
})

test('a snapshot that fails takes no place', async () => {
  await good(service.test('POST', 'faults', { database: 'down' }))
  for (let count = 0; count < 20; count++) {
    expect(await service.test('POST', 'snapshot')).toMatchObject({ status: 503 })
  }
  await good(service.test('DELETE', 'faults'))
  await good(service.test('POST', 'snapshot'))
})

test('a snapshot does not replace another one that is not done yet', async () => {
  const taken: number[] = []
  const rest = { state: () => [] }
  const { snapshot } = await createRecords({
    snapshots: { take: async (number: number) => void taken.push(number) },
    ...{ clock: rest, mailbox: rest, events: rest },
  } as unknown as Parameters<typeof createRecords>[0])
  expect(await Promise.all([snapshot(), snapshot()])).toEqual(['s1', 's2'])
  expect(taken).toEqual([0, 1, 2])
})

test('a snapshot that a reset meets is replaced by no later one', async () => {
  const taken: number[] = []
  const restored: number[] = []
  const rest = { state: () => [], restore() {}, clear() {} }
  const { snapshot, reset, restore } = await createRecords({
    snapshots: {
      take: async (number: number) => void taken.push(number),
      restore: async (number: number) => void restored.push(number),
    },
    ...{ clock: rest, mailbox: rest, events: rest, faults: rest, providers: new Map() },
  } as unknown as Parameters<typeof createRecords>[0])
  await Promise.all([snapshot(), snapshot()])
  await Promise.all([snapshot(), reset()])
  const ids = [await snapshot(), await snapshot(), await snapshot()]
  for (const id of ids) await restore(id)
  expect(restored).toEqual([0, 1, 2, 3])
  expect(taken).toEqual([0, 1, 2, 3, 1, 2, 3])
})

test('no connection ends while a test stands still', async () => {
  expect((await service.test('GET', 'clock')).headers.get('keep-alive')).toBeNull()
})

test('eight spaces work in parallel, each with its own users, letters, clock and faults', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `w${n}`)
  const work = async (name: string, n: number) => {
    const space = callsTo(service.url, name)
    await good(space.test('POST', 'reset'))
    await good(space.test('POST', 'clock', { freeze: `203${n}-01-01T00:00:00Z` }))
    const { key, user } = await add('ada', space)
    await good(space.api('POST', 'password/reset/', { email: 'ada@example.com' }))
    await good(space.test('POST', 'faults', { path: 'sessions/', status: 500 + n }))
    const letters = await good<{ at: string; link: string }[]>(space.test('GET', 'mail'))
    const { now } = await good<{ now: string }>(space.test('GET', 'clock'))
    const { status } = await space.api('GET', 'sessions/')
    return { name, key, pk: user.pk, letters, now, status }
  }
  const done = await Promise.all(names.map(work))
  for (const [n, { name, key, pk, letters, now, status }] of done.entries()) {
    expect({ pk, year: now.slice(0, 4), status, letters: letters.length }).toEqual({
      ...{ pk: 2, year: `203${n}`, status: 500 + n, letters: 1 },
    })
    for (const other of names) {
      expect(await isKnown(key, callsTo(service.url, other))).toBe(other === name)
    }
  }
  // A link in a letter leads to its space without a header.
  const ports = done.map(({ letters }) => new URL(letters[0]?.link ?? '').port)
  expect(new Set(ports).size).toBe(8)
  // The first space has seen nothing of it.
  expect(await good(service.test('GET', 'mail'))).toEqual([])
  expect(await isKnown(done[0]?.key ?? '')).toBe(false)
})

test('a space is reached by its own address, too, and pages of the first address count as its own', async () => {
  const space = callsTo(service.url, 'pages')
  const at = await good<{ url: string }>(space.test('GET', ''))
  const { key } = await add('ada', space)
  expect(await isKnown(key, callsTo(at.url))).toBe(true)
  const login = await space.api(
    'POST',
    'login/',
    { username: 'ada', password: 'wrong' },
    { origin: service.url, cookie: 'sessionid=none' },
  )
  expect(login.status).toBe(400)
})

test('names of spaces are plain, and there is an end to them', async () => {
  for (const name of ['a b', 'x'.repeat(65), 'ä']) {
    const encoded = Buffer.from(name).toString('latin1')
    expect(await callsTo(service.url, encoded).test('GET', '')).toMatchObject({ status: 400 })
  }
  const listen = () => new Promise<number>(() => {})
  const spaces = createSpaces({ common: commonOf({}), seed: [], log: pino(), listen })
  for (let n = 1; n <= 64; n++) void spaces.find(`s${n}`)
  await expect(spaces.find('s65')).rejects.toThrow('There are already 64 spaces')
})
