import { describe, expect, test } from 'vitest'
import { nameKey } from '../../src/kernel/names.ts'
import { KEY } from '../support/answers.ts'
import { filledDatabases, restore } from '../support/filled-database.ts'
import { startAuth } from '../support/start-auth.ts'

/** A name, and the key that 0.1.0 gave it. */
type Then = readonly [username: string, key: string]

const filled = filledDatabases.find(({ version }) => version === '0.1.0')
if (!filled) throw new Error('There is no database of 0.1.0.')
const { password } = filled.known

/** The current service with an old database and more users. The first of them has the pk 3. */
async function startWith(...users: Then[]) {
  const [ada, ...others] = filled?.tables.users ?? []
  const first = others.length + 2
  const added = users.map(([username, username_key], i) => {
    const email = `u${first + i}@example.com`
    return { ...ada, id: first + i, username, username_key, email, email_key: email }
  })
  const tables = { ...filled?.tables, users: [ada ?? {}, ...others, ...added] }
  const lines: string[] = []
  const DATABASE_URL = await restore({ ...filled, tables } as NonNullable<typeof filled>)
  const started = await startAuth({ DATABASE_URL }, { onLogLine: (line) => lines.push(line) })
  const { request } = started
  return {
    ...started,
    logIn: (username: string) => request.post('login/', { username, password }),
    /** The pk of the user with this name. */
    async whoIs(username: string) {
      const reply = await request.post('login/', { username, password })
      expect(reply).toMatchReply(200, KEY)
      const { key: token } = reply.body as { key: string }
      return ((await request.get('user/', { token })).body as { pk: number }).pk
    },
    warnings: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40),
  }
}

describe('names that 0.1.0 folded otherwise', () => {
  test('are found after the upgrade, in every spelling, and are still taken', async () => {
    const { whoIs, request, warnings } = await startWith(
      ['STRAẞE', 'straße'],
      ['x@münchen.example', 'x@münchen.example'],
      ['Łukasz', 'łukasz'],
    )
    for (const name of ['STRAẞE', 'straße', 'Strasse', 'ＳＴＲＡＳＳＥ']) {
      expect(await whoIs(name), name).toBe(3)
    }
    for (const name of ['x@münchen.example', 'X＠MÜNCHEN.example']) {
      expect(await whoIs(name), name).toBe(4)
    }
    expect(await whoIs('łUKASZ')).toBe(5)
    expect(await whoIs('ada')).toBe(1)
    const form = { username: 'strasse', email: 'n@example.com', password1: password }
    const reply = await request.post('registration/', { ...form, password2: password })
    expect(reply.body).toEqual({ username: ['A user with that username already exists.'] })
    expect(warnings()).toEqual([])
  })

  test.each<[string, [Then, Then]]>([
    [
      'has the new key already',
      [
        ['Weiß', 'weiss'],
        ['WEIẞ', 'weiß'],
      ],
    ],
    [
      'has to get it from the younger one',
      [
        ['WEIẞ', 'weiß'],
        ['Weiß', 'weiss'],
      ],
    ],
  ])('that are now one belong to the oldest account, which %s', async (_, [older, younger]) => {
    const { logIn, whoIs, request, warnings } = await startWith(older, younger)
    for (const name of ['Weiß', 'WEIẞ', 'weiss']) expect(await whoIs(name), name).toBe(3)
    for (const name of ['u4@example.com', 'weiss#4']) expect(await whoIs(name), name).toBe(4)
    expect((await request.post('registration/', { username: 'weiss#5' })).body).toMatchObject({
      username: [expect.stringContaining('valid username')],
    })
    expect(warnings()).toEqual([
      expect.objectContaining({
        user: 4,
        username: younger[0],
        login: 'weiss#4',
        msg: 'this username is now the same as that of an older account, which keeps it',
      }),
    ])

    // The user who lost the name chooses another one.
    const { body } = await logIn('u4@example.com')
    const { key: token } = body as { key: string }
    const taken = await request.patch('user/', { username: 'WEISS' }, { token })
    expect(taken.status).toBe(400)
    expect((await request.patch('user/', { username: 'Schwarz' }, { token })).status).toBe(200)
    expect(await whoIs('schwarz')).toBe(4)
  })

  test('are no addresses: what was stored of one is its key today', () => {
    // As 0.1.0 stored `A.B+c@MÜNCHEN.example`, `x@faß.example` and the like.
    for (const stored of [
      'a.b+c@xn--mnchen-3ya.example',
      'x@xn--fa-hia.example',
      "o'neil!#$%&*/=?^_`{|}~@example.com",
      'root@localhost',
    ]) {
      expect(nameKey(stored)).toBe(stored)
    }
  })
})
