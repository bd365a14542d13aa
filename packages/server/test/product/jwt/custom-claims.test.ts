import { expect, test } from 'vitest'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { decode, startJwt } from '../../support/jwt.ts'

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
