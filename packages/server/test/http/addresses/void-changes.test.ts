import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { requestReset, STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { NOT_FOUND } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { activate } from '../../support/mfa.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

type Started = Awaited<ReturnType<typeof startWithAda>>

/** What a thief who asked for another address must not survive. */
const ends: Record<string, (auth: Started) => Promise<unknown>> = {
  'a new password': ({ request, token }) =>
    request.post('password/change/', twice(STRONG), { token }),
  'a password reset': async (auth) => {
    const { uid, token } = await requestReset(auth, ADA)
    return auth.request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  },
  'a password that an operator sets': async ({ administration, findUser }) =>
    administration.setPassword(await findUser('ada'), STRONG),
  'a revocation by an operator': async ({ administration, findUser }) =>
    administration.revoke(await findUser('ada')),
  'a deactivation, even if it is undone': async ({ administration, findUser }) => {
    await administration.deactivate(await findUser('ada'))
    await administration.activate(await findUser('ada'))
  },
  'the end of all other logins': async ({ request, token }) => {
    const reply = await request.post('sessions/end-others/', {}, { token })
    expect(reply.status).toBe(200)
  },
  'a second factor': (auth) => activate(auth, auth.token),
  'the end of its days': async ({ clock }) => clock.advance(3 * DAY),
  'a second request': ({ ask }) => ask('other@new.example'),
  'its recall': ({ request, token }) => request.delete('email/change/', { token }),
}

test.each(Object.entries(ends))('%s voids the link', async (_, end) => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  await end(auth)
  expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
  expect(await auth.findUser('ada')).toMatchObject({ email: ADA })
  expect(await auth.mail.of('email-changed')).toEqual([])
})

test('after a new password no change is pending', async () => {
  const auth = await startWithAda()
  await auth.ask()
  await auth.request.post('password/change/', twice(STRONG), { token: auth.token })
  expect(await auth.show()).toMatchObject({ pending: null })
})

test('while the user is inactive the link does not work', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  await auth.administration.deactivate(await auth.findUser('ada'))
  expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
})

test('a change goes with its user', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  await auth.administration.remove(await auth.findUser('ada'))
  expect(await countRows(auth.db, 'email_keys')).toBe(0)
  expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
})

test.each(['bad', ' ', 'x'.repeat(100)])('the key %j is none', async (key) => {
  const { confirm } = await startWithAda()
  expect(await confirm(key)).toMatchReply(404, NOT_FOUND)
})

test.each([
  [{}, ['This field is required.']],
  [{ key: '' }, ['This field may not be blank.']],
  [{ key: null }, ['This field may not be null.']],
  [{ key: ['a'] }, ['Not a valid string.']],
])('%j is a field error', async (body, key) => {
  const { request } = await startAuth()
  expect(await request.post('email/change/confirm/', body)).toMatchReply(400, { key })
})

test('a key works once', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  expect((await auth.confirm(key)).status).toBe(200)
  expect(await auth.confirm(key)).toMatchReply(404, NOT_FOUND)
})

test('a key of one purpose is nothing to the other', async () => {
  const auth = await startAuth()
  const { request } = auth
  const { key: token } = (await request.post('registration/', signup('ada'))).body as {
    key: string
  }
  const body = { email: NEW, password: STRONG }
  await request.post('email/change/', body, { token })
  const [verify, change] = [await verificationKey(auth, ADA), await changeKey(auth)]
  for (const [path, key] of [
    ['registration/verify-email/', change],
    ['email/change/confirm/', verify],
  ] as const) {
    expect(await request.post(path, { key })).toMatchReply(404, NOT_FOUND)
  }
  expect(await auth.findUser('ada')).toMatchObject({ email: ADA, email_verified: 0 })
})

test('links for the old address are dead after the change', async () => {
  const auth = await startAuth()
  const { request } = auth
  const { key: token } = (await request.post('registration/', signup('ada'))).body as {
    key: string
  }
  const verify = await verificationKey(auth, ADA)
  const reset = await requestReset(auth, ADA)
  await request.post('email/change/', { email: NEW, password: STRONG }, { token })
  await request.post('email/change/confirm/', { key: await changeKey(auth) })

  expect(await request.post('registration/verify-email/', { key: verify })).toMatchReply(
    404,
    NOT_FOUND,
  )
  const { link: _, ...proof } = reset
  expect(
    await request.post('password/reset/confirm/', { ...proof, ...twice(PASSWORD) }),
  ).toMatchReply(400, { token: ['Invalid value'] })
  expect(await auth.findUser('ada')).toMatchObject({ email: NEW, email_verified: 1 })
  // The login goes on.
  expect((await request.get('email/', { token })).status).toBe(200)
})
