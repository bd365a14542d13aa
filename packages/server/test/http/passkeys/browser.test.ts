import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { addVirtualAuthenticator, openFrontEnd, useBrowser } from '../../support/browser.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const browser = useBrowser()

test('a browser makes a passkey, logs in with it, renames and deletes it', async () => {
  const { auth, context, run } = await openFrontEnd(browser())
  await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  await run('call', 'POST', 'login/', { username: 'ada', password: PASSWORD })
  await addVirtualAuthenticator(context, {
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  })

  const made = await run('register', 'My laptop')
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'My laptop', transports: ['internal'], discoverable: true },
  })
  await expect(run('register', 'Twice')).rejects.toThrow(/InvalidStateError/)

  await context.clearCookies()
  expect(await run('call', 'GET', 'passkeys/')).toMatchObject({ status: 401 })
  for (const user of [{ username: 'ada' }, { email: 'ada@example.com' }, {}]) {
    expect(await run('logIn', user)).toEqual({ status: 200, body: KEY })
  }

  const { id } = made.body as { id: number }
  expect(await run('call', 'PATCH', `passkeys/${id}/`, { name: 'Old laptop' })).toMatchObject({
    status: 200,
    body: { name: 'Old laptop', last_used_at: expect.any(String) },
  })
  expect(await run('call', 'DELETE', `passkeys/${id}/`)).toEqual({ status: 204 })

  // The authenticator still has it; the service no longer does.
  expect(await run('logIn')).toEqual({
    status: 400,
    body: { non_field_errors: ['Authentication verification failed.'] },
  })
})
