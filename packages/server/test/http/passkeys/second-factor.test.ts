import { expect, test } from 'vitest'
import { AT, createAuthenticator, UP, UV } from '../../support/authenticator.ts'
import { activate, codeOf, MFA_REQUIRED, verify } from '../../support/mfa.ts'
import { logIn, register } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

test.each([
  ['verified when it was made and now', UV, UV, 'key'],
  ['verified when it was made, but not now', UV, 0, 'challenge'],
  ['verified now, but not when it was made', 0, UV, 'challenge'],
  ['never verified', 0, 0, 'challenge'],
])('with MFA, a passkey whose user was %s', async (_, atRegistration, atLogin, answer) => {
  const auth = await startAuth()
  const { request } = auth
  const token = await auth.createUserWithToken('ada')
  const authenticator = createAuthenticator()
  await register(request, token, authenticator, { flags: UP | AT | atRegistration })
  const { secret } = await activate(auth, token)

  const reply = await logIn(request, authenticator, { lies: { flags: UP | atLogin } })
  if (answer === 'key') {
    expect(reply).toMatchReply(200, { key: token })
    return
  }
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  expect(reply.cookies).toEqual([])
  const { ephemeral_token } = reply.body as { ephemeral_token: string }
  const verified = await verify(auth, ephemeral_token, codeOf(auth, secret))
  expect(verified).toMatchReply(200, { key: token })
})

test('with JSON Web Tokens, a passkey logs in with a pair', async () => {
  const auth = await startAuth({ REST_AUTH: { USE_JWT: true } })
  await auth.createUser({ username: 'ada' })
  const { body } = await auth.request.post('login/', {
    username: 'ada',
    password: PASSWORD,
  })
  const headers = { authorization: `Bearer ${(body as { access: string }).access}` }
  const authenticator = createAuthenticator()
  const begun = await auth.request.post('passkeys/register/begin/', {}, { headers })
  const credential = authenticator.create(begun.body as Parameters<typeof authenticator.create>[0])
  await auth.request.post('passkeys/register/complete/', { credential }, { headers })

  const reply = await logIn(auth.request, authenticator)
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    access: expect.any(String),
    refresh: expect.any(String),
    user: { username: 'ada' },
  })
})
