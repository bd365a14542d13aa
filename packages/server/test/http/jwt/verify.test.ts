import { afterAll, expect, test } from 'vitest'
import { notValid, type Pair, ROTATING, startJwt } from '../../support/jwt.ts'

test('valid tokens of either type are accepted', async () => {
  const { request, logIn } = await startJwt()
  const { access, refresh } = await logIn()
  for (const token of [access, refresh]) {
    expect(await request.post('token/verify/', { token })).toMatchReply(200, {})
    expect(await request.post('token/verify', { token })).toMatchReply(200, {})
  }
})

/** For requests that change nothing. */
const unmoved = await startJwt({}, { atTheEnd: afterAll })

test.each([
  [{}, 'This field is required.'],
  [{ token: '' }, 'This field may not be blank.'],
  [{ token: null }, 'This field may not be null.'],
  [{ token: ['a'] }, 'Not a valid string.'],
])('%j is answered by a field error', async (body, message) => {
  const reply = await unmoved.request.post('token/verify/', body)
  expect(reply).toMatchReply(400, { token: [message] })
})

test('each refusal has its name', async () => {
  const { request, logIn, refresh, clock } = await startJwt({ SIMPLE_JWT: ROTATING })
  const verify = (token: string) => request.post('token/verify/', { token })
  const pair = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  const reply = await verify('bad')
  expect(reply).toMatchReply(...notValid('Token is invalid'))
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="api"')
  expect(await verify(pair.refresh)).toMatchReply(...notValid('Token is blacklisted'))
  // Checking a token does not use it, so the family stays valid.
  expect(await verify(next.refresh)).toMatchReply(200, {})
  clock.advance(300_000)
  expect(await verify(next.access)).toMatchReply(...notValid('Token is expired'))
})

test('an access token is judged by signature and lifetime alone', async () => {
  const { request, logIn, administration, ada } = await startJwt()
  const { access } = await logIn()
  await administration.remove(ada)
  expect(await request.post('token/verify/', { token: access })).toMatchReply(200, {})
})
