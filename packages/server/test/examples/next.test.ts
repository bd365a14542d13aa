import { expect, test, vi } from 'vitest'
import { STRONG, signup } from '../support/accounts.ts'
import { startExample } from './start-example.ts'

/** One build for everything that is asserted here. */
const SLOW = { timeout: 300_000 }

test('the example next', SLOW, async () => {
  const { url, call, stop } = await startExample('next')
  expect(await call('GET', '/api/notes')).toMatchObject({
    status: 401,
    body: { detail: 'Authentication credentials were not provided.' },
  })
  expect((await call('GET', '/')).body).toContain('Nobody is signed in.')

  const registered = await call('POST', '/api/auth/registration/', { body: signup('ada') })
  expect(registered.status).toBe(201)
  const credentials = { username: 'ada', password: STRONG }
  const login = await call('POST', '/api/auth/login/', { body: credentials })
  expect(login.status).toBe(200)
  const cookie = login.cookies.join('; ')

  // The hook is told after the answer.
  await vi.waitFor(async () => {
    const notes = await call('GET', '/api/notes', { cookie })
    expect(notes).toMatchObject({ status: 200, body: ['Welcome, ada!'] })
  }, 60_000)
  const home = await call('GET', '/', { cookie })
  expect(home.body).toContain('ada<!-- --> is signed in.')
  expect(home.body).toContain('Welcome, ada!')
  const token = `Token ${login.body.key}`
  expect((await call('GET', '/api/notes', { token })).status).toBe(200)
  expect((await call('GET', '/api/notes', { token: `${token}x` })).status).toBe(401)

  const page = await call('GET', '/account/login/')
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<title>') })

  // How Next ends after the signal: 128, and the number of the signal.
  expect(await stop()).toMatchObject({ code: 143 })
  await expect(fetch(url)).rejects.toThrow()
})
