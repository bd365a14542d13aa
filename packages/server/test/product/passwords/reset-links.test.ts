import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { dump } from '../../support/dump.ts'
import { startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'

async function startWithAda(settings: object = {}) {
  const started = await startAuth(settings)
  await started.createUser({ username: 'ada', email: ADA })
  return started
}

test('what comes with the request cannot change the link', async () => {
  const started = await startWithAda({ PUBLIC_URL: 'https://auth.example.com' })
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  }
  await started.request.post('password/reset/', { email: ADA }, { headers })
  await started.request.post('http://evil.example/auth/password/reset/', { email: ADA })
  for (const { values } of await started.mail.letters()) {
    expect(values.link).toMatch(/^https:\/\/auth\.example\.com\/account\/password\/reset\//)
  }
})

test('links follow PASSWORD_RESET_URL', async () => {
  const url = 'https://app.example.com/reset?u={uid}&t={token}'
  const started = await startWithAda({ PASSWORD_RESET_URL: url })
  await started.request.post('password/reset/', { email: ADA })
  const [letter] = await started.mail.letters()
  expect(letter?.values.link).toMatch(
    /^https:\/\/app\.example\.com\/reset\?u=\w+&t=[0-9a-z]+-[0-9a-f]{32}$/,
  )
})

test('the database holds no token', async () => {
  const started = await startWithAda()
  const { token } = await requestReset(started, ADA)
  expect((await dump(started.db)).filter((value) => value.includes(token))).toEqual([])
})

test('the page behind the link changes nothing until its form is sent', async () => {
  const started = await startWithAda()
  const { link } = await requestReset(started, ADA)
  const { pathname } = new URL(link)
  const { request } = started
  for (let i = 0; i < 2; i++) {
    const page = await request.get(pathname)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('name="new_password2"')
  }
  const type = 'application/x-www-form-urlencoded'
  const headers = { accept: 'text/html', origin: 'http://localhost:8000' }
  const send = (password: string) =>
    request.post(pathname, new URLSearchParams(twice(password)).toString(), { type, headers })
  const weak = await send('123')
  expect(weak.status).toBe(400)
  expect(weak.body).toContain('This password is too short.')
  const good = await send(STRONG)
  expect(good.status).toBe(200)
  expect(good.body).toContain('Your password has been changed')
  expect((await request.get(pathname)).status).toBe(404)
  expect((await send(STRONG)).status).toBe(404)
  expect((await request.post('login/', { username: 'ada', password: STRONG })).status).toBe(200)
})
