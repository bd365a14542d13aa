import { describe, expect, test } from 'vitest'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { bearer, decode, startJwt } from '../../support/jwt.ts'

const CLAIMS = { email: 'email', roles: 'groups', 'https://example.com/tel': 'phone' }
const USER_FIELDS = { phone: { type: 'string' } }

test('access tokens carry fields of the user as of their making, refresh tokens none', async () => {
  const { ada, administration, logIn, refresh } = await startJwt({
    USER_FIELDS,
    SIMPLE_JWT: { CLAIMS },
  })
  await administration.set(ada, { groups: ['ops'], values: { phone: '555' } })
  const pair = await logIn()
  const wanted = { email: 'ada@example.com', roles: ['ops'], 'https://example.com/tel': '555' }
  expect(decode(pair.access).claims).toMatchObject({ ...wanted, user_id: String(ada.id) })
  for (const name of Object.keys(CLAIMS)) {
    expect(Object.keys(decode(pair.refresh).claims)).not.toContain(name)
  }

  await administration.set(ada, { groups: [] })
  const { body } = await refresh(pair.refresh)
  const { access } = body as { access: string }
  expect(decode(access).claims).toMatchObject({ ...wanted, roles: [] })
  expect(decode(pair.access).claims).toMatchObject(wanted)
})

describe('a token with all claims would be too long', () => {
  const KEY = 'a-key-for-the-shop-long-enough-to-be-one'
  const groups = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(90, 'x'))

  async function start(REST_AUTH = {}) {
    const lines: string[] = []
    const auth = await startJwt(
      {
        REST_AUTH,
        INTROSPECTION_KEY: KEY,
        USER_FIELDS: { bio: { type: 'string', max_length: 10_000 } },
        SIMPLE_JWT: { CLAIMS: { bio: 'bio', roles: 'groups', email: 'email' } },
      },
      { onLogLine: (line) => lines.push(line) },
    )
    await auth.administration.set(auth.ada, { groups })
    const warnings = () =>
      lines.filter((line) => line.includes('has no room')).map((line) => JSON.parse(line))
    return { ...auth, warnings }
  }

  test('what users write themselves is left out first, and they can log in', async () => {
    const { ada, logIn, getUser, refresh, request, warnings } = await start()
    const first = await logIn()
    expect(decode(first.access).claims).toMatchObject({ bio: null, roles: groups })
    await request.patch('user/', { bio: 'x'.repeat(9000) }, bearer(first.access))

    const pair = await logIn()
    const { access } = (await refresh(pair.refresh)).body as { access: string }
    for (const token of [pair.access, access]) {
      const { claims } = decode(token)
      expect(claims).toMatchObject({ roles: groups, email: 'ada@example.com' })
      expect(claims).not.toHaveProperty('bio')
      expect((await getUser(token)).status).toBe(200)
      expect((await request.post('token/verify/', { token })).status).toBe(200)
      const asked = await request.post('introspect/', { token }, bearer(KEY))
      expect(asked.body).toMatchObject({ active: true })
    }
    expect(warnings()).toMatchObject([
      { level: 40, user: ada.id, claims: ['bio'] },
      { level: 40, user: ada.id, claims: ['bio'] },
    ])
  })

  test('a claim that is too long by itself leaves the others', async () => {
    const { ada, administration, logIn, warnings } = await start()
    await administration.set(ada, { groups: [...groups, ...groups.map((name) => `${name}y`)] })
    await administration.set(ada, { values: { bio: 'short' } })
    const { claims } = decode((await logIn()).access)
    expect(claims).toMatchObject({ bio: 'short', email: 'ada@example.com' })
    expect(claims).not.toHaveProperty('roles')
    expect(warnings()).toMatchObject([{ claims: ['roles'] }])
  })

  test.each([
    ['alone', null, 4096],
    ['with the name of its cookie', 'jwt-auth', 4088],
  ])('a token %s has at most 4096 characters, and uses the room', async (_, cookie, most) => {
    const { ada, administration, logIn } = await start({ JWT_AUTH_COOKIE: cookie })
    const lengthWith = async (bio: string) => {
      await administration.set(ada, { values: { bio } })
      return (await logIn()).access.length
    }
    const room = Math.floor(((most - (await lengthWith(''))) * 3) / 4)
    const lengths: number[] = []
    for (const size of [room - 1, room, room + 1, room + 2, room + 3]) {
      lengths.push(await lengthWith('x'.repeat(size)))
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
    expect(Math.max(...lengths)).toBeGreaterThan(most - 4)
    expect(lengths.at(-1)).toBeLessThan(most - 4)
  })
})

test.each(['uid', 'sub'])('the pk is in the claim %s, and is read from there', async (name) => {
  const { ada, logIn, getUser, refresh } = await startJwt({ SIMPLE_JWT: { USER_ID_CLAIM: name } })
  const pair = await logIn()
  const { claims } = decode(pair.access)
  expect(claims[name]).toBe(String(ada.id))
  expect(claims).not.toHaveProperty('user_id')
  expect((await getUser(pair.access)).status).toBe(200)
  expect((await refresh(pair.refresh)).status).toBe(200)
})

test.each(['token_type', 'jti', 'exp', 'iat', 'iss', 'aud', 'sub', 'nbf', 'sid', 'user_id'])(
  'a claim %s stops the start',
  (name) => {
    expect(() => resolveSettings({ SIMPLE_JWT: { CLAIMS: { [name]: 'email' } } })).toThrow(
      `SIMPLE_JWT.CLAIMS: the claim ${name} already has a meaning`,
    )
  },
)

test('a claim of a field that nobody has stops the start, and so does a user id in exp', () => {
  expect(() => resolveSettings({ SIMPLE_JWT: { CLAIMS: { x: 'password' } } })).toThrow(
    'SIMPLE_JWT.CLAIMS: a claim names the field password, but users have no such field',
  )
  expect(() => resolveSettings({ SIMPLE_JWT: { USER_ID_CLAIM: 'exp' } })).toThrow(
    'SIMPLE_JWT.USER_ID_CLAIM: is a claim that already has a meaning',
  )
})
