import { expect, test } from 'vitest'
import { AT, createAuthenticator, UP, UV } from '../../support/authenticator.ts'
import { beginLogin, register } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

/** What the gate is told: whether a login needs no second factor. */
test.each([
  ['verified when it was made and now', UV, UV, true],
  ['verified when it was made, but not now', UV, 0, false],
  ['verified now, but not when it was made', 0, UV, false],
  ['never verified', 0, 0, false],
])('a passkey whose user was %s', async (_, atRegistration, atLogin, isStrong) => {
  const { request, createUserWithToken, auth } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator()
  await register(request, token, authenticator, { flags: UP | AT | atRegistration })
  const options = await beginLogin(request)
  const credential = authenticator.get(options, { flags: UP | atLogin })
  const { passkeys } = auth.services
  expect(await passkeys.completeLogin(credential, options.session_id)).toMatchObject({
    isStrong,
    user: { username: 'ada' },
  })
})
