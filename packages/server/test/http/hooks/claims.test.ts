import { expect, test } from 'vitest'
import type { Hooks, HookUser } from '../../../src/core/hooks.ts'
import { refuse } from '../../../src/kernel/refuse.ts'
import { UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { endless, startWithHooks, writesNothing, writesNothingIfLate } from '../../support/hooks.ts'
import { decode, type Pair, ROTATING } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

/** A service with Ada, in JWT mode, whose hook says what the test wants. */
async function start({ SIMPLE_JWT = {}, REST_AUTH = {} }: Record<string, object> = {}) {
  const asked: HookUser[] = []
  const host: { adds: NonNullable<Hooks['claims']> } = { adds: () => ({ plan: 'pro' }) }
  const auth = await startWithHooks(
    {
      claims(user) {
        asked.push(user)
        return host.adds(user)
      },
    },
    { REST_AUTH: { USE_JWT: true, ...REST_AUTH }, SIMPLE_JWT },
  )
  await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const logIn = () => auth.request.post('login/', { username: 'ada', password: PASSWORD })
  const refresh = (token: string) => auth.request.post('token/refresh/', { refresh: token })
  return { ...auth, asked, host, logIn, refresh }
}

const claimsIn = (body: unknown) => decode((body as Pair).access).claims

test('access tokens have the claims, at login and at each refresh; refresh tokens have none', async () => {
  const { logIn, refresh, host, asked, findUser } = await start()
  const { body } = await logIn()
  expect(claimsIn(body)).toMatchObject({ plan: 'pro', token_type: 'access' })
  const { refresh: token } = body as Pair
  expect(decode(token).claims).not.toHaveProperty('plan')

  host.adds = async ({ username }) => ({
    plan: null,
    name: username,
    deep: { list: [1, 'x', true] },
  })
  const claims = claimsIn((await refresh(token)).body)
  expect(claims).toMatchObject({ plan: null, name: 'ada', deep: { list: [1, 'x', true] } })
  const { id } = await findUser('ada')
  expect(asked.map(({ pk }) => pk)).toEqual([id, id])
  expect(Object.isFrozen(asked[0])).toBe(true)
})

test('a hook may add nothing, and wins over a claim of the settings', async () => {
  const { logIn, host } = await start({ SIMPLE_JWT: { CLAIMS: { plan: 'username' } } })
  expect(claimsIn((await logIn()).body)).toMatchObject({ plan: 'pro' })
  host.adds = () => undefined
  expect(claimsIn((await logIn()).body)).toMatchObject({ plan: 'ada' })
  host.adds = () => ({ plan: undefined, other: 1 })
  expect(claimsIn((await logIn()).body)).toMatchObject({ plan: 'ada', other: 1 })
})

test('without JSON Web Tokens nobody asks', async () => {
  const { logIn, asked } = await start({ REST_AUTH: { USE_JWT: false } })
  expect((await logIn()).status).toBe(200)
  expect(asked).toEqual([])
})

const OWN = ['token_type', 'jti', 'exp', 'iat', 'iss', 'aud', 'sub', 'nbf', 'sid', 'uid']
const cycle: Record<string, unknown> = {}
cycle.cycle = cycle

test.each<[string, unknown]>([
  ...OWN.map((name) => [`sets ${name}`, { [name]: 'x' }] as [string, unknown]),
  ['returns a text', 'plan'],
  ['returns null', null],
  ['returns a list', [{ plan: 'pro' }]],
  ['returns a Map', new Map([['plan', 'pro']])],
  ['returns a number that JSON has not', { plan: Number.NaN }],
  ['returns a date', { since: new Date(0) }],
  ['returns a function', { plan: () => 'pro' }],
  ['returns a bigint', { plan: 1n }],
  ['returns a cycle', cycle],
  ['returns more than fits into a token', { plan: 'x'.repeat(2049) }],
])('a hook that %s is logged, and nobody gets a token', async (_, wrong) => {
  const auth = await start({ SIMPLE_JWT: { USER_ID_CLAIM: 'uid' } })
  auth.host.adds = () => wrong as never
  const reply = await writesNothing(auth, auth.logIn)
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(reply.cookies).toEqual([])
  expect(auth.lines.join('')).toContain('"hook":"claims"')
})

test('it cannot refuse: that is what signingIn is for', async () => {
  const auth = await start()
  auth.host.adds = () => refuse('No.')
  expect(await writesNothing(auth, auth.logIn)).toMatchReply(503, UNAVAILABLE)
})

test('a refresh that fails because of the hook does not spend the token', async () => {
  const auth = await start({ SIMPLE_JWT: ROTATING })
  const { refresh: token } = (await auth.logIn()).body as Pair
  auth.host.adds = () => Promise.reject(new Error('the directory is down'))
  const reply = await writesNothing(auth, () => auth.refresh(token))
  expect(reply).toMatchReply(503, UNAVAILABLE)
  expect(reply.cookies).toEqual([])

  auth.host.adds = () => ({ plan: 'free' })
  expect(claimsIn((await auth.refresh(token)).body)).toMatchObject({ plan: 'free' })
})

test('a refresh whose hook takes too long does not spend the token either', async () => {
  const auth = await start({ SIMPLE_JWT: ROTATING })
  const { refresh: token } = (await auth.logIn()).body as Pair
  const late = endless()
  auth.host.adds = late.hook
  const reply = await writesNothingIfLate(auth, late, () => auth.refresh(token))
  expect(reply).toMatchReply(503, UNAVAILABLE)
  auth.host.adds = () => undefined
  expect((await auth.refresh(token)).status).toBe(200)
  expect(await countRows(auth.db, 'spent_refresh_tokens')).toBe(1)
})
