import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { startAuth } from '../../support/start-auth.ts'

const HOST = { kind: 'host', name: 'test', may: 'all' } as const

type Found = { results: { username: string }[]; next: string | null }

async function start() {
  const started = await startAuth()
  const { operations } = started.auth.services
  const find = async (input: object) =>
    (await operations.call(HOST, 'users.find', { ...input })) as unknown as Found
  const names = async (input: object) => (await find(input)).results.map((one) => one.username)
  const create = (username: string, more: object = {}) =>
    operations.call(HOST, 'users.create', { username, ...more })
  return { ...started, operations, find, names, create }
}

test('a part of a name or address finds a user, in any case and script', async () => {
  const { names, create } = await start()
  await create('ada', { email: 'Countess@Example.com', first_name: 'Ada', last_name: 'Lovelace' })
  await create('Ωmega', { first_name: 'ÖZGÜR', last_name: 'Weiẞ' })
  await create('percent%', { first_name: '100%_"\\' }).catch(() => create('percent'))
  await create('bob', { first_name: '"quoted" 50%_\\' })
  for (const q of ['ad', 'ADA', 'tess@exam', 'LOVEL', 'ada lovelace', 'a']) {
    expect(await names({ q }), q).toContain('ada')
  }
  for (const q of ['ωMEG', 'özgür', 'WEISS', 'weiß'])
    expect(await names({ q }), q).toEqual(['Ωmega'])
  for (const q of ['"quoted"', '0%_\\', '%_', '\\']) expect(await names({ q }), q).toEqual(['bob'])
  for (const q of ['%%%', '___', 'ada\ncountess', 'da co', "' or 1=1 --", 'nobody']) {
    expect(await names({ q }), q).toEqual([])
  }
  expect(await names({ q: '' })).toHaveLength(4)
})

test('an address is found by its international domain', async () => {
  const { names, create } = await start()
  await create('joerg', { email: 'joerg@müller.example' })
  await create('mail@müller.example')
  for (const q of ['joerg@müller.example', 'JOERG@MÜLLER.ex', 'rg@xn--mller-kva']) {
    expect(await names({ q }), q).toEqual(['joerg'])
  }
  expect(await names({ q: '@müller.example', sort: 'username' })).toEqual([
    'joerg',
    'mail@müller.example',
  ])
  for (const q of ['joerg@möller.example', 'joerg@mü\nller.example']) {
    expect(await names({ q }), q).toEqual([])
  }
})

test('a name with an @ is found, whatever follows it', async () => {
  const { names, create } = await start()
  await create('jo', { last_name: 'Team @Zürich' })
  await create('kim', { first_name: 'Σίσυφος', last_name: '@Αθήνας' })
  await create('eve', { email: 'eve@zürich.example' })
  for (const q of ['team @ZÜRICH', '@zür', 'm @zürich'])
    expect(await names({ q }), q).toEqual(['jo'])
  for (const q of ['@αθήνας', '@ΑΘΉΝΑΣ', 'σίσυφος @αθή'])
    expect(await names({ q }), q).toEqual(['kim'])
  expect(await names({ q: '@zürich', sort: 'username' })).toEqual(['eve', 'jo'])
  expect(await names({ q: '@zürich.example' })).toEqual(['eve'])
  expect(await names({ q: 'team @zürich.example' })).toEqual([])
})

test('a text may end with a sigma in the middle of a word', async () => {
  const { names, create } = await start()
  await create('kostas', { first_name: 'Κωνσταντίνος', last_name: 'Παπάς' })
  await create('γιωργος.νικολαου')
  for (const q of [
    'Κωνσ',
    'ΚΩΝΣ',
    'κωνς',
    'νσ',
    'Κωνσταντίνος',
    'ΚΩΝΣΤΑΝΤΊΝΟΣ',
    'νος πα',
    'Παπάς',
  ]) {
    expect(await names({ q }), q).toEqual(['kostas'])
  }
  for (const q of ['Γιωργος', 'γος.', 'ος.νικ'])
    expect(await names({ q }), q).toEqual(['γιωργος.νικολαου'])
  for (const q of ['Κωσ', 'τίνοσ x', 'κωνσσ']) expect(await names({ q }), q).toEqual([])
})

test('a single sigma finds the end of a word', async () => {
  const { names, create } = await start()
  await create('nick', { last_name: 'ΟΔΟΣ' })
  for (const q of ['Σ', 'σ', 'ς', 'ΟΣ']) expect(await names({ q }), q).toEqual(['nick'])
})

test('the search follows every change, and forgets the deleted', async () => {
  const { names, create, operations, db, auth } = await start()
  const { pk } = (await create('ada', { email: 'ada@example.com' })) as { pk: number }
  await create('eve')
  await operations.call(HOST, 'users.update', {
    pk,
    username: 'grace',
    email: 'hopper@navy.example',
  })
  expect(await names({ q: 'ada' })).toEqual([])
  expect(await names({ q: 'hopper@' })).toEqual(['grace'])
  await operations.call(HOST, 'users.update', { pk, last_name: 'Hopper-Murray' })
  expect(await names({ q: 'hopper-m' })).toEqual(['grace'])
  const stored = async () => {
    if (auth.connection.engine !== 'sqlite') return []
    const { rows } = await sql<{ part: string }>`
      select hex(block) as part from latchkey_search_data`.execute(db)
    const bytes = rows.map(({ part }) => Buffer.from(part, 'hex').toString('latin1')).join()
    return ['opp', 'nav', 'avy', 'urr', 'rra', 'gra'].filter((trigram) => bytes.includes(trigram))
  }
  if (auth.connection.engine === 'sqlite') expect(await stored()).not.toEqual([])
  await operations.call(HOST, 'users.delete', { pk })
  expect(await names({ q: 'hopper' })).toEqual([])
  expect(await names({ q: 'eve' })).toEqual(['eve'])
  expect(await stored()).toEqual([])
})

test('pages follow each other in every order and state, without a gap or a repetition', async () => {
  const { find, create, clock, operations, db } = await start()
  for (let i = 0; i < 12; i++) {
    const { pk } = (await create(`user-${(i * 7) % 12}`, {
      is_staff: i % 3 === 0,
      email: `u${i}@example.com`,
      verified: i % 2 === 0,
    })) as { pk: number }
    // Some have logged in at the same time, and some never.
    if (i % 4 > 1)
      await db
        .updateTable('users')
        .set({ last_login_at: 1000 * (i % 3) })
        .where('id', '=', pk)
        .execute()
    if (i === 5) await operations.call(HOST, 'users.deactivate', { pk })
    if (i % 5 === 0) clock.advance(DAY)
  }
  for (const sort of ['date_joined', 'last_login', 'username']) {
    for (const filter of [
      {},
      { q: 'user-' },
      { q: 's' },
      { state: 'staff' },
      { state: 'active' },
    ]) {
      const seen: string[] = []
      let after: string | null = null
      do {
        const page: Found = await find({ sort, limit: 5, ...filter, ...(after && { after }) })
        expect(page.results.length).toBeLessThanOrEqual(5)
        seen.push(...page.results.map((one) => one.username))
        after = page.next
      } while (after)
      const down = await find({ sort: `-${sort}`, ...filter })
      expect(seen.toReversed(), `${sort} ${JSON.stringify(filter)}`).toEqual(
        down.results.map((one) => one.username),
      )
      expect(new Set(seen).size).toBe(filter.state === 'staff' ? 4 : filter.state ? 11 : 12)
    }
  }
  const count = async (filter: object) => (await find(filter)).results.length
  expect(await count({ state: 'inactive' })).toBe(1)
  expect(await count({ state: 'unverified' })).toBe(6)
  expect(await count({ state: 'superuser' })).toBe(0)
  expect(await count({ state: 'mfa' })).toBe(0)
  expect(await count({ state: 'no-mfa' })).toBe(12)
  expect(await count({ since: new Date(clock.now() - DAY) })).toBeLessThan(12)
})

test('a cursor works for its own list only, and wrong values are faults of their fields', async () => {
  const { find, create } = await start()
  for (const name of ['a', 'b', 'c']) await create(name)
  const { next } = await find({ limit: 1 })
  const after = String(next)
  expect((await find({ limit: 2, after })).results).toHaveLength(2)
  const wrong = [
    { after: 'x' },
    { after: `${after.slice(0, -2)}AA` },
    { after, sort: 'username' },
    { after, q: 'a' },
  ]
  for (const input of wrong) {
    await expect(find(input)).rejects.toMatchObject({
      status: 400,
      body: { after: [{ code: 'invalid_cursor' }] },
    })
  }
  for (const [name, value] of Object.entries({
    state: 'gone',
    sort: 'email',
    limit: 201,
    since: 'x',
  })) {
    await expect(find({ [name]: value })).rejects.toMatchObject({
      status: 400,
      body: { [name]: [{ code: expect.any(String) }] },
    })
  }
})
