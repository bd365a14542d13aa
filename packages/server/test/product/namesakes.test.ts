import { expect, test } from 'vitest'
import { KEY } from '../support/answers.ts'
import { BY_CODE, codesIn } from '../support/codes.ts'
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

test('a login of the second is a guess at the password of the first, and counts', async () => {
  const { logIn, NAME, MALLORYS } = await startWithNamesakes()
  for (let i = 0; i < 10; i++) expect(await logIn(NAME)).toMatchReply(200, KEY)
  expect(await logIn('mallory', MALLORYS)).toBeThrottled(300)
  expect(await logIn(NAME)).toMatchReply(200, KEY)
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

test('a code goes to the username, unless the address is proved', async () => {
  const auth = await startWithNamesakes({ ACCOUNT: BY_CODE })
  const { db, mail, request, NAME } = auth
  const { ask, codeTo, confirm } = codesIn(auth)
  const session_id = await ask({ username: NAME })
  const reply = await confirm({ session_id, code: await codeTo('bob@work.example') })
  expect(reply).toMatchReply(200, KEY)
  const { key: token } = reply.body as { key: string }
  expect((await request.get('user/', { token })).body).toMatchObject({ username: NAME })
  const recipients = async () => (await mail.of('login-code')).map(({ to }) => to)
  expect(await recipients()).toEqual(['bob@work.example'])
  await ask({ email: NAME })
  expect(await recipients()).toEqual(['bob@work.example', NAME])
  await db.updateTable('users').set({ email_verified: 1 }).execute()
  await ask({ username: NAME })
  expect(await recipients()).toEqual(['bob@work.example', NAME, NAME])
})
