import { expect, test } from 'vitest'
import { KEY } from '../support/answers.ts'
import { guessing } from '../support/guessing.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

/** Bob, and Mallory, who has registered with Bob's username as her address. */
async function startWithNamesakes(settings = {}) {
  const auth = await startAuth(settings)
  const bob = { username: 'bob@example.com', email: 'bob@work.example' }
  await auth.createUser(bob)
  const MALLORYS = 'the one of mallory'
  await auth.createUser({ username: 'mallory', email: 'bob@example.com', password: MALLORYS })
  return { ...auth, ...guessing(auth), NAME: 'bob@example.com', MALLORYS }
}

test('an address that is the username of another keeps nobody out', async () => {
  const { logIn, fail, request, NAME, MALLORYS } = await startWithNamesakes()
  const userOf = async (reply: Awaited<ReturnType<typeof logIn>>) => {
    expect(reply).toMatchReply(200, KEY)
    const { key: token } = reply.body as { key: string }
    return ((await request.get('user/', { token })).body as { username: string }).username
  }
  expect(await userOf(await logIn(NAME))).toBe(NAME)
  expect(await userOf(await logIn(NAME, MALLORYS))).toBe('mallory')
  await fail('mallory', 10)
  expect(await userOf(await logIn(NAME))).toBe(NAME)
  expect(await logIn(NAME, MALLORYS)).toBeThrottled(300)
  expect(await logIn(NAME, 'wrong')).toBeThrottled(300)
})

test('a guess under such a name counts for both users', async () => {
  const { logIn, fail, NAME, MALLORYS } = await startWithNamesakes()
  await fail(NAME, 10)
  expect(await logIn('bob@work.example')).toBeThrottled(300)
  expect(await logIn('mallory', MALLORYS)).toBeThrottled(300)
  for (const password of [PASSWORD, MALLORYS])
    expect(await logIn(NAME, password)).toBeThrottled(300)
})

test('while the second of them is locked, the right password of the first is accepted', async () => {
  const { logIn, fail, NAME, MALLORYS } = await startWithNamesakes()
  await fail('bob@work.example', 10)
  expect(await logIn(NAME)).toBeThrottled(300)
  expect(await logIn(NAME, MALLORYS)).toMatchReply(200, KEY)
})

test('if the first of them may not log in yet, that is the answer', async () => {
  const settings = { ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } }
  const { logIn, NAME, MALLORYS } = await startWithNamesakes(settings)
  const unproved = { non_field_errors: ['E-mail is not verified.'] }
  expect(await logIn(NAME, MALLORYS)).toMatchReply(400, unproved)
})
