import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newCli } from '../cli/support/cli.ts'
import { fileIn, settingsIn } from './support/documents.ts'

// The functions of docs/recipes/express.md, as they stand there.
const PAGE = 'docs/recipes/express.md'

type Asked = IncomingMessage & { userId?: number; user?: { username: string } }
const KEY = '0123456789abcdef'.repeat(4)

type Middleware = (req: Asked, res: ServerResponse, next: (error?: unknown) => void) => void

/** Latchkey, and an API beside it that lets those pass whom a function of the page lets pass. */
async function newApi(name: string, exported: string, settings: object) {
  const { cwd, run, serve } = await newCli()
  await mkdir(join(cwd, 'keys'))
  const key = join(cwd, 'keys/signing.pem')
  await run(['keys', 'generate', '--algorithm', 'ES256', '--out', key])
  const config = JSON.stringify(settings)
    .replace('keys/signing.pem', () => key)
    .replace('replace-me-with-the-output-of-openssl-rand-hex-32', KEY)
  await writeFile(join(cwd, 'latchkey.config.json'), config)
  const ada = ['--username', 'ada', '--password-stdin']
  await run(['user', 'create', ...ada], { input: 'correct horse battery' })
  const { url } = await serve()

  const text = fileIn(PAGE, name)
    .replace("'latchkey/verify'", `'${new URL('../../dist/verify.js', import.meta.url)}'`)
    .replace("'http://127.0.0.1:8000'", `'${new URL(url).origin}'`)
    .replace('process.env.INTROSPECTION_KEY', `'${KEY}'`)
  const file = join(cwd, name.replace('.js', '.mjs'))
  await writeFile(file, text)
  const { [exported]: pass }: Record<string, Middleware> = await import(pathToFileURL(file).href)

  const server = createServer((req: Asked, res) =>
    pass?.(req, res, (error) => {
      res.statusCode = error ? 500 : 200
      res.end(JSON.stringify({ id: req.userId, name: req.user?.username }))
    }),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  const { port } = server.address() as AddressInfo

  const login = () =>
    fetch(`${url}login/`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada', password: 'correct horse battery' }),
    })
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method,
      headers: { ...headers, connection: 'close' },
    })
    return { status: answer.status, body: (await answer.json()) as object }
  }
  /** A key that may only read the user at Latchkey. */
  const newApiKey = async (token: string) => {
    const answer = await fetch(`${url}tokens/`, {
      method: 'POST',
      headers: { authorization: `Token ${token}` },
      body: new URLSearchParams({ name: 'program', scopes: 'user:read' }),
    })
    return (await answer.json()) as { key: string }
  }
  return { url, login, ask, newApiKey }
}

test('an API checks access tokens by the published keys', async () => {
  const [settings = {}] = settingsIn(PAGE)
  const { login, ask } = await newApi('signed-in.js', 'signedIn', settings)
  const { access, refresh } = (await (await login()).json()) as Record<string, string>
  expect(await ask({ authorization: `Bearer ${access}` })).toEqual({ status: 200, body: { id: 1 } })
  expect(await ask()).toMatchObject({ status: 401 })
  expect(await ask({ authorization: `Bearer ${refresh}` })).toMatchObject({ status: 401 })
  expect(await ask({ authorization: `Bearer ${access?.slice(0, -8)}` })).toMatchObject({
    status: 401,
  })
})

test('an API asks about token keys and sessions', async () => {
  const [, settings = {}] = settingsIn(PAGE)
  const { url, login, ask, newApiKey } = await newApi('ask-latchkey.js', 'askLatchkey', {
    ...settings,
    API_KEYS: true,
  })
  const answer = await login()
  const { key } = (await answer.json()) as { key: string }
  const cookie = answer.headers.getSetCookie().join('; ')
  expect(cookie).toContain('sessionid=')
  const passed = { status: 200, body: { name: 'ada' } }
  expect(await ask({ authorization: `Token ${key}` }, 'POST')).toEqual(passed)
  expect(await ask({ cookie })).toEqual(passed)
  expect(await ask({ cookie, origin: 'https://app.example.com' }, 'POST')).toEqual(passed)
  expect(await ask({ cookie, origin: 'https://evil.example' }, 'POST')).toMatchObject({
    status: 403,
  })
  expect(await ask({ cookie }, 'POST')).toMatchObject({ status: 403 })
  expect(await ask()).toMatchObject({ status: 401 })
  expect(await ask({}, 'POST')).toMatchObject({ status: 401 })
  expect(await ask({ authorization: 'Token wrong' })).toMatchObject({ status: 401 })
  expect(await ask({ authorization: 'Token wrong', cookie })).toMatchObject({ status: 401 })
  expect(await ask({ cookie: 'sessionid=wrong' })).toMatchObject({ status: 401 })

  // It reads `user/` at Latchkey, but its scopes open nothing here.
  const authorization = `Token ${(await newApiKey(key)).key}`
  expect((await fetch(`${url}user/`, { headers: { authorization } })).status).toBe(200)
  expect(await ask({ authorization })).toMatchObject({ status: 401 })

  await fetch(`${url}logout/`, { method: 'POST', headers: { authorization: `Token ${key}` } })
  expect(await ask({ authorization: `Token ${key}` })).toMatchObject({ status: 401 })
})
