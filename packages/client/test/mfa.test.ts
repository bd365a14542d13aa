import { expect, test } from 'vitest'
import { codeOf } from '../../server/test/support/mfa.ts'
import { ADA, JWT, startService } from './support/start-service.ts'

test('a second factor, from its activation to the login with it', async () => {
  const service = await startService(JWT)
  const { client } = service.newClient({ mode: 'jwt' })
  await client.login(ADA)
  expect(await client.mfa.status()).toMatchObject({ mfa_enabled: false })
  const { secret, activation_token } = await client.mfa.begin()
  const { recovery_codes } = await client.mfa.activate({
    activation_token,
    code: codeOf(service, secret),
  })
  expect(recovery_codes).toHaveLength(10)
  await client.logout()

  const answer = await client.login(ADA)
  if (!answer.mfa_required) throw new Error('No second factor was asked for.')
  expect(client.state.status).toBe('signed-out')
  expect(await client.authorization()).toBeUndefined()

  service.clock.advance(60_000)
  const { ephemeral_token } = answer
  const wrong = client.mfa.verify({ ephemeral_token, code: '000000' })
  await expect(wrong).rejects.toMatchObject({ fields: { code: ['Invalid code.'] } })
  const done = await client.mfa.verify({ ephemeral_token, code: codeOf(service, secret) })
  expect(done.user).toMatchObject({ username: 'ada' })
  expect(client.state).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })

  const { codes } = await client.mfa.regenerateRecoveryCodes()
  expect(await client.mfa.recoveryCodes()).toEqual({ codes })
})

test('an address that must be confirmed first signs nobody in', async () => {
  const { newClient } = await startService({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  const { client } = newClient({ mode: 'token' })
  const password = 'Nn-5566-yy-lantern'
  const answer = await client.register({
    username: 'bob',
    email: 'bob@example.com',
    password1: password,
    password2: password,
  })
  expect(answer).toEqual({ detail: 'Verification e-mail sent.' })
  expect(client.state.status).not.toBe('signed-in')
})
