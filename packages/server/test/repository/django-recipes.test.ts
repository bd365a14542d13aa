import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { newCli } from '../cli/support/cli.ts'
import { findPython, startDjango } from './support/django.ts'
import { examplesIn, fileIn, settingsIn } from './support/documents.ts'

// docs/recipes/django.md, run inside Django. Without a Python that has Django REST framework and
// simplejwt, these tests are skipped. PYTHON names one.
const PAGE = 'docs/recipes/django.md'
const python = findPython()
const NO_PYTHON =
  'no Python with Django REST framework and simplejwt was found; PYTHON can name one.'

const [shared = {}, pair = {}, asking = {}] = settingsIn(PAGE)
const inDjango = examplesIn(PAGE)
  .filter(({ name }) => name === 'settings.py')
  .map(({ text }) => text)

const KEY = '0123456789abcdef'.repeat(4)

/** Latchkey and a Django beside it, both with the settings of the page. */
async function newApi(config: object, settings: string) {
  const { cwd, run, serve } = await newCli()
  await mkdir(join(cwd, 'keys'))
  const file = join(cwd, 'keys/signing.pem')
  await run(['keys', 'generate', '--algorithm', 'ES256', '--out', file])
  const known = {
    'keys/signing.pem': file,
    'replace-me-with-the-output-of-openssl-rand-hex-32': KEY,
  }
  let text = JSON.stringify(config)
  for (const [placeholder, value] of Object.entries(known))
    text = text.replaceAll(placeholder, value)
  await writeFile(join(cwd, 'latchkey.config.json'), text)
  const ada = ['--username', 'ada', '--password-stdin']
  await run(['user', 'create', ...ada], { input: 'correct horse battery' })
  const { url } = await serve()

  const api = await startDjango(python ?? '', cwd, {
    settings: settings
      .replace('https://accounts.example.com/auth/', url)
      .replace('http://127.0.0.1:8000', new URL(url).origin),
    files: { 'latchkey.py': fileIn(PAGE, 'latchkey.py').replace('SECONDS = 10', 'SECONDS = 0') },
    env: { LATCHKEY_SECRET_KEY: KEY, LATCHKEY_INTROSPECTION_KEY: KEY },
  })
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(api, { method, headers })
    return { status: answer.status, body: (await answer.json()) as object }
  }
  const logIn = () => post('login/', { username: 'ada', password: 'correct horse battery' })
  return { ask, logIn, post }
}

describe('a Django API beside Latchkey', () => {
  beforeEach(({ skip }) => skip(python === null, NO_PYTHON))

  test.each([
    ['a shared key', shared, inDjango[0] ?? ''],
    ['a key pair', pair, `${inDjango[0]?.replace(/^SIMPLE_JWT.*$/m, '')}${inDjango[1]}`],
  ])('knows access tokens by %s', async (_, config, settings) => {
    const { ask, logIn } = await newApi(config, settings)
    const { access, refresh } = (await (await logIn()).json()) as Record<string, string>
    expect(await ask({ authorization: `Bearer ${access}` })).toMatchObject({
      status: 200,
      body: { id: '1' },
    })
    expect(await ask()).toMatchObject({ status: 401 })
    expect(await ask({ authorization: `Bearer ${refresh}` })).toMatchObject({ status: 401 })
    const broken = access?.slice(0, -8)
    expect(await ask({ authorization: `Bearer ${broken}` })).toMatchObject({ status: 401 })
  })

  test('asks about token keys and sessions', async () => {
    const { ask, logIn, post } = await newApi({ ...asking, API_KEYS: true }, inDjango[2] ?? '')
    const answer = await logIn()
    const { key } = (await answer.json()) as { key: string }
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const session = { cookie: cookie.join('; ') }
    const passed = { status: 200, body: { id: '1', name: 'ada' } }
    expect(await ask({ authorization: `Token ${key}` }, 'POST')).toEqual(passed)
    expect(await ask(session)).toEqual(passed)
    expect(await ask({ ...session, origin: 'https://app.example.com' }, 'POST')).toEqual(passed)
    expect(await ask({ ...session, origin: 'https://evil.example' }, 'POST')).toMatchObject({
      status: 403,
    })
    expect(await ask(session, 'POST')).toMatchObject({ status: 403 })
    expect(await ask()).toMatchObject({ status: 401 })
    expect(await ask({ authorization: 'Token wrong' })).toMatchObject({ status: 401 })
    expect(await ask({ cookie: 'sessionid=wrong' })).toMatchObject({ status: 401 })

    // Its scopes open nothing here.
    const program = { name: 'program', scopes: ['user:read'] }
    const made = await post('tokens/', program, { authorization: `Token ${key}` })
    const { key: apiKey } = (await made.json()) as { key: string }
    expect(made.status).toBe(201)
    expect(await ask({ authorization: `Token ${apiKey}` })).toMatchObject({ status: 401 })

    await post('logout/', {}, { authorization: `Token ${key}` })
    expect(await ask({ authorization: `Token ${key}` })).toMatchObject({ status: 401 })
  })
})

test('the page shows what Django needs', () => {
  expect(inDjango).toHaveLength(3)
  expect(asking).toHaveProperty('INTROSPECTION_KEY')
})
