import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { requestReset, signup, verificationKey } from '../../support/accounts.ts'
import { COOKIES, type Pair } from '../../support/jwt.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOBODY = { detail: 'Authentication credentials were not provided.' }
const FRONT_END = 'https://app.example.com'

test.each(['', ' '])('an empty Authorization header, %j, is none', async (authorization) => {
  const { createUser, logInBrowser, request } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const headers = { authorization }
  expect((await browser.get('user/', { headers })).body).toMatchObject({ username: 'ada' })
  expect(await request.get('user/', { headers })).toMatchReply(401, NOBODY)
  expect((await request.post('logout/', {}, { headers })).status).toBe(200)
})

test('an empty Authorization header saves nobody the CSRF token', async () => {
  const { createUser, logInBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const reply = await browser.patch('user/', {}, { headers: { authorization: '' } })
  expect(reply).toMatchReply(403, { detail: 'CSRF Failed: CSRF token missing.' })
})

test('a preflight allows what front ends send, and what the deployment adds', async () => {
  const ask = async (settings: object) => {
    const { request } = await startAuth({ CORS_ALLOWED_ORIGINS: [FRONT_END], ...settings })
    const { headers } = await request.call('OPTIONS', 'user/', undefined, {
      headers: { origin: FRONT_END, 'access-control-request-method': 'GET' },
    })
    return String(headers['access-control-allow-headers']).split(', ')
  }
  const usual = await ask({})
  expect(usual).toEqual([
    ...['Authorization', 'Content-Type', 'X-CSRFToken', 'X-Error-Codes', 'X-Request-Id'],
    ...['X-Requested-With', 'Accept', 'Accept-Language', 'Cache-Control', 'Pragma'],
  ])
  expect(await ask({ CORS_ALLOW_HEADERS: ['X-Client-Version'] })).toEqual([
    ...usual,
    'X-Client-Version',
  ])
})

test.each(['X-Evil\r\nSet-Cookie: a=b', 'a b', 'a:b', ''])(
  'CORS_ALLOW_HEADERS with %j stops the start',
  async (name) => {
    await expect(startAuth({ CORS_ALLOW_HEADERS: [name] })).rejects.toThrow(/CORS_ALLOW_HEADERS/)
  },
)

test('at registration the JWT cookies may be left out, and the body then has both tokens', async () => {
  const register = async (settings: object) => {
    const { request } = await startAuth({
      REST_AUTH: { USE_JWT: true, ...COOKIES, JWT_AUTH_COOKIE_USE_CSRF: true, ...settings },
    })
    return request.post('registration/', signup('ada'))
  }
  const usual = await register({})
  expect(usual.cookies.map(({ name }) => name)).toEqual(['jwt-auth', 'jwt-refresh', 'csrftoken'])
  expect(usual.body).toMatchObject({ refresh: '' })

  const without = await register({ JWT_AUTH_COOKIE_AT_REGISTRATION: false })
  expect(without.status).toBe(201)
  expect(without.cookies).toEqual([])
  expect((without.body as Pair).refresh).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('a login still sets them', async () => {
  const { request } = await startAuth({
    REST_AUTH: { USE_JWT: true, ...COOKIES, JWT_AUTH_COOKIE_AT_REGISTRATION: false },
  })
  const { username, password1: password } = signup('ada')
  await request.post('registration/', signup('ada'))
  const { cookies } = await request.post('login/', { username, password })
  expect(cookies.map(({ name }) => name)).toEqual(['jwt-auth', 'jwt-refresh'])
})

test('letters may use the parts of their link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-letters-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const words = join(folder, 'words')
  await mkdir(words)
  await writeFile(join(words, 'reset-password.txt'), 'Subject: x\n\napp://reset/{uid}/{token}\n')
  await writeFile(join(words, 'verify-email.txt'), 'Subject: x\n\nEnter {key} there.\n')
  const started = await startAuth({
    EMAIL_URL: `file:${join(folder, 'mails')}`,
    EMAIL_TEMPLATES_DIR: words,
  })
  const address = 'ada@example.com'
  await started.request.post('registration/', signup('ada'))
  const key = await verificationKey(started, address)
  const { uid, token } = await requestReset(started, address)
  await started.auth.services.delivery.deliverDue()

  const files = await readdir(join(folder, 'mails'))
  const read = files.map((file) => readFile(join(folder, 'mails', file), 'utf8'))
  const mails = (await Promise.all(read)).join('\n')
  expect(mails).toContain(`\r\nEnter ${key} there.\r\n`)
  expect(mails).toContain(`\r\napp://reset/${uid}/${token}\r\n`)
})
