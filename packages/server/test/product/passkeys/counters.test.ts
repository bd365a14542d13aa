import { expect, test } from 'vitest'
import { createAuthenticator } from '../../support/authenticator.ts'
import { beginLogin, logIn, register, registered } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Authentication verification failed.'] }

test('a counter that does not grow is refused, and noted as a possible copy', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator()
  await register(request, token, authenticator, { signCount: 5 })
  const withCount = (signCount: number) => logIn(request, authenticator, { lies: { signCount } })
  const clones = () =>
    db
      .selectFrom('audit_events')
      .select(['user_id', 'details'])
      .where('event', '=', 'passkey_possible_clone')
      .orderBy('id')
      .execute()

  expect((await withCount(6)).status).toBe(200)
  expect(await clones()).toEqual([])
  for (const count of [6, 5, 0]) expect(await withCount(count)).toMatchReply(400, FAILED)
  expect(await clones()).toHaveLength(3)
  expect((await clones())[0]).toEqual({
    user_id: 1,
    details: JSON.stringify({ passkey: 1, stored: 6, got: 6 }),
  })
  expect((await withCount(2 ** 32 - 1)).status).toBe(200)
})

test('a counter that was forged is not noted: only a good signature tells of a copy', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator()
  await register(request, token, authenticator, { signCount: 5 })
  const lies = { signCount: 1, signature: () => Buffer.alloc(70, 1) }
  expect(await logIn(request, authenticator, { lies })).toMatchReply(400, FAILED)
  const events = await db.selectFrom('audit_events').select('event').execute()
  expect(events).toEqual([{ event: 'passkey_added' }])
})

test('an authenticator that never counts is fine', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  for (let i = 0; i < 3; i++) {
    expect((await logIn(request, authenticator, { lies: { signCount: 0 } })).status).toBe(200)
  }
})

test('of parallel uses with one count one succeeds, and the counter never goes back', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const useWith = async (signCount: number) => {
    const options = await beginLogin(request)
    const credential = authenticator.get(options, { signCount })
    return () =>
      request.post('passkeys/login/complete/', { credential, session_id: options.session_id })
  }
  const same = await Promise.all(Array.from({ length: 16 }, () => useWith(7)))
  const replies = await Promise.all(same.map((use) => use()))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)

  const rising = await Promise.all(Array.from({ length: 16 }, (_, i) => useWith(8 + i)))
  await Promise.all(rising.map((use) => use()))
  const { sign_count } = await db
    .selectFrom('passkeys')
    .select('sign_count')
    .executeTakeFirstOrThrow()
  expect(sign_count).toBe(23)
})
