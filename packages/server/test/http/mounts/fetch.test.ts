import { expect, test } from 'vitest'
import { callerOf, embed, QUIET, SIGNUP } from '../../support/embed.ts'

const SITE = 'https://app.example'
const LOGIN = `${SITE}/auth/login/`
const EMPTY_LOGIN = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

const LOGIN_BODY = { username: 'ada', password: 'a wrong one' }

async function start(...args: Parameters<typeof embed>) {
  const embedded = await embed(...args)
  const send = (path: string, init?: RequestInit) =>
    embedded.auth.fetch(new Request(`${SITE}${path}`, init), { address: '192.0.2.1' })
  return { ...embedded, send, ...callerOf(send, { api: '/auth/' }) }
}

test('several cookies are several headers, and none is about the connection', async () => {
  const { post } = await start()
  const { headers, setCookies } = await post('registration/', SIGNUP)
  expect(setCookies).toHaveLength(2)
  for (const name of ['connection', 'date', 'transfer-encoding']) {
    expect(headers.has(name)).toBe(false)
  }
})

test('a body is read until it is too large, and no further', async () => {
  const { auth } = await start()
  let pulled = 0
  let isCancelled = false
  const body = new ReadableStream({
    pull(stream) {
      pulled += 1
      stream.enqueue(new Uint8Array(1024).fill(97))
    },
    cancel() {
      isCancelled = true
    },
  })
  const init = { ...EMPTY_LOGIN, body, duplex: 'half' } as const
  const answer = await auth.fetch(new Request(LOGIN, init))
  expect(answer.status).toBe(413)
  expect(await answer.json()).toEqual({ detail: 'Request body is too large.' })
  expect(isCancelled).toBe(true)
  expect(pulled).toBeLessThan(100)
})

test('a body that is used already is an error that says what to do', async () => {
  const { auth } = await start()
  const request = new Request(LOGIN, EMPTY_LOGIN)
  await request.text()
  await expect(auth.fetch(request)).rejects.toThrow('request.clone()')
  const other = new Request(LOGIN, EMPTY_LOGIN)
  const copy = other.clone()
  await other.text()
  expect((await auth.fetch(copy)).status).toBe(400)
})

test('who has gone already is not served', async () => {
  const { auth, post } = await start()
  const init = { ...EMPTY_LOGIN, body: JSON.stringify(SIGNUP), signal: AbortSignal.abort() }
  const answer = auth.fetch(new Request(`${SITE}/auth/registration/`, init))
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect((await post('registration/', SIGNUP)).status).toBe(201)
})

test('who goes away is not waited for, neither for the body nor for the answer', async () => {
  const { auth, post } = await start()
  const leaving = new AbortController()
  const body = new ReadableStream({ pull: () => leaving.abort('gone') })
  const init = { ...EMPTY_LOGIN, body, signal: leaving.signal, duplex: 'half' } as const
  await expect(auth.fetch(new Request(LOGIN, init))).rejects.toBe('gone')

  const other = new AbortController()
  const { signal } = other
  const answer = auth.fetch(
    new Request(LOGIN, { ...EMPTY_LOGIN, body: JSON.stringify(LOGIN_BODY), signal }),
  )
  // The body is read and the password is being hashed, or both are about to be.
  setImmediate(() => other.abort('gone'))
  await expect(answer).rejects.toBe('gone')
  expect((await post('login/', {})).status).toBe(400)
})

test('who goes away while the service works is not waited for', async () => {
  const leaving = new AbortController()
  // The hook waits longer than the test takes.
  const registering = () => {
    leaving.abort('gone')
    return new Promise<void>(() => {})
  }
  const { send } = await start({}, { hooks: { registering } })
  const init = { ...EMPTY_LOGIN, body: JSON.stringify(SIGNUP), signal: leaving.signal }
  await expect(send('/auth/registration/', init)).rejects.toBe('gone')
})

test('whenever somebody goes away, the log stays quiet', async () => {
  const lines: string[] = []
  const say = (_fields: object, text: string) => void lines.push(text)
  const { send } = await start({}, { log: { ...QUIET, warn: say, error: say } })
  await send('/auth/csrf/')
  const body = new URLSearchParams({ new_password1: 'a', new_password2: 'a' })
  for (let turns = 0; turns < 60; turns++) {
    const leaving = new AbortController()
    const init = { method: 'POST', body, signal: leaving.signal }
    const answer = send('/account/password/reset/1/a-secret/', init)
    for (let turn = 0; turn < turns; turn++) await null
    leaving.abort('gone')
    await expect(answer).rejects.toBe('gone')
  }
  expect(lines).toEqual([])
})

test('a log that fails, at once or later, breaks nothing', async () => {
  const lines: string[] = []
  const fail = (_fields: object, text: string) => {
    lines.push(text)
    throw new Error('The disk is full.')
  }
  const failLater = async (fields: object, text: string) => fail(fields, text)
  for (const say of [fail, failLater]) {
    const { auth } = await start({}, { log: { info: say, warn: say, error: say } })
    // Without an address, the service warns.
    const { status } = await auth.fetch(new Request(LOGIN, EMPTY_LOGIN))
    expect(status).toBe(400)
  }
  expect(lines).toHaveLength(2)
})

test('a method that Node does not know is a bad request, as in our own server', async () => {
  const { call } = await start()
  for (const path of ['login/', 'nothing/']) {
    const { status, body, headers } = await call('FOO', path)
    expect([status, body]).toEqual([400, { detail: 'Bad request.' }])
    expect(headers.get('x-request-id')).toMatch(/./)
  }
})

test('the origin of the request is its own, with its scheme', async () => {
  const { send } = await start({ PUBLIC_URL: 'http://localhost:9' })
  const from = async (origin: string) => {
    const headers = { ...EMPTY_LOGIN.headers, origin }
    return (await send('/auth/login/', { ...EMPTY_LOGIN, headers })).status
  }
  expect(await from(SITE)).toBe(400)
  expect(await from('http://app.example')).toBe(403)
  expect(await from('https://evil.example')).toBe(403)
})

test('a client that has no name gets none', async () => {
  const { post, get } = await start()
  await post('registration/', SIGNUP)
  const { body } = await get('sessions/')
  const login = { method: 'registration', address: '192.0.2.1', user_agent: '' }
  expect(body).toContainEqual(expect.objectContaining(login))
})

test.each([
  ['a server that knows the address', 0, { address: '192.0.2.7' }, '192.0.2.7'],
  ['a server that knows it behind a proxy', 1, { address: '192.0.2.7' }, '192.0.2.7'],
  ['a proxy', 1, {}, '203.0.113.9'],
  ['nobody whom we trust', 0, {}, 'unknown'],
])('the address of the client comes from %s', async (_, NUM_PROXIES, options, address) => {
  const { auth, send } = await start({ REST_FRAMEWORK: { NUM_PROXIES } })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '1.1.1.1, 203.0.113.9' }
  const init = { method: 'POST', headers, body: JSON.stringify(SIGNUP) }
  const registered = await auth.fetch(new Request(`${SITE}/auth/registration/`, init), options)
  const { key } = (await registered.json()) as { key: string }
  const list = await send('/auth/sessions/', { headers: { authorization: `Token ${key}` } })
  expect(await list.json()).toContainEqual(expect.objectContaining({ address }))
})

test('a server that never tells the address is warned, once', async () => {
  const warnings: string[] = []
  const log = { ...QUIET, warn: (_fields: object, text: string) => void warnings.push(text) }
  const { auth, send } = await start({}, { log })
  await send('/auth/user/')
  expect(warnings).toEqual([])
  for (const _ of [1, 2]) await auth.fetch(new Request(`${SITE}/auth/user/`))
  expect(warnings).toEqual([expect.stringContaining('Pass { address }')])
})
