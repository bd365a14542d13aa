import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

async function startWithPasskey(verified: boolean) {
  const started = await startAuth()
  const { request, createUser } = started
  await createUser({ username: 'ada', email: 'ada@example.com', verified })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  const passkey = await registered(request, (login.body as { key: string }).key)
  const resetPassword = async () => {
    const { uid, token } = await requestReset(started, 'ada@example.com')
    return request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  }
  return { request, passkey, resetPassword }
}

test('whoever registered the address of another loses his passkeys when its owner resets', async () => {
  const { request, passkey, resetPassword } = await startWithPasskey(false)
  expect((await logIn(request, passkey)).status).toBe(200)
  expect((await resetPassword()).status).toBe(200)
  expect(await logIn(request, passkey)).toMatchReply(400, {
    non_field_errors: ['Authentication verification failed.'],
  })
})

test('with a proved address the passkeys stay', async () => {
  const { request, passkey, resetPassword } = await startWithPasskey(true)
  expect((await resetPassword()).status).toBe(200)
  expect((await logIn(request, passkey)).status).toBe(200)
})
