import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newDatabaseFolder } from '../support/database-folder.ts'

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href
const FASTIFY = import.meta.resolve('fastify')

/** Settings that would change everything, or stop the start, if anybody read them. */
const HOSTILE = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  SECRET_KEY: 'short',
  AUTH_PREFIX: '/elsewhere/',
  REST_AUTH_USE_JWT: 'true',
  REST_AUTH_NO_SUCH_THING: '1',
  LATCHKEY_CONFIG: 'no-such-file.json',
  EMAIL_URL: 'smtp://127.0.0.1:1',
}

/** Runs a program that embeds the service, in a folder of its own, until it ends by itself. */
async function folderFor() {
  const cwd = await newDatabaseFolder('program')
  const run = async (program: string, env: Record<string, string> = {}) => {
    const source = `import { createAuth, loadSettings, SettingsError } from '${LIBRARY}'\n${program}`
    const args = ['--input-type=module', '-e', source]
    const options = { cwd, env: { PATH: process.env.PATH, ...env }, timeout: 180_000 }
    const { stdout } = await promisify(execFile)(process.execPath, args, options)
    return JSON.parse(stdout)
  }
  return { cwd, run }
}

const REGISTER = `
  const log = { info() {}, warn() {}, error() {} }
  const auth = await createAuth({ DATABASE_URL: 'sqlite:app.db', EMAIL_URL: 'file:mails' }, { log })
  const send = (path, init) => auth.fetch(new Request('http://localhost' + path, init))
  const password = 'Nn-5566-yy-lantern'
  const body = JSON.stringify({ username: 'ada', email: 'ada@example.com', password1: password, password2: password })
  const headers = { 'content-type': 'application/json' }
  const answer = await send('/auth/registration/', { method: 'POST', headers, body })
  const { key } = await answer.json()
`

test('neither the environment nor a config file is read, and a program that closes the service ends', async () => {
  const { cwd, run } = await folderFor()
  writeFileSync(join(cwd, 'latchkey.config.json'), '{ "broken": ')
  const program = `${REGISTER}
    console.log(JSON.stringify({ status: answer.status, key }))
    await auth.close()`
  expect(await run(program, HOSTILE)).toEqual({
    status: 201,
    key: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('closing its Fastify ends the program, too', async () => {
  const { run } = await folderFor()
  const program = `
    import Fastify from '${FASTIFY}'
    const auth = await createAuth({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' })
    const app = Fastify()
    await app.register(auth.fastify)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { status } = await fetch(url + '/auth/user/', { headers: { connection: 'close' } })
    console.log(JSON.stringify({ status }))
    await app.close()`
  expect(await run(program)).toEqual({ status: 401 })
})

test('a key is made and kept, so that what is sealed can be opened after a restart', async () => {
  const { cwd, run } = await folderFor()
  const again = `
    const login = await send('/auth/login/', { method: 'POST', headers, body: JSON.stringify({ username: 'ada', password }) })
    console.log(JSON.stringify({ status: answer.status, key: (await login.json()).key }))
    await auth.close()`
  const first = await run(REGISTER + again)
  const key = readFileSync(join(cwd, 'secret.key'), 'utf8')
  const second = await run(REGISTER + again)
  expect([first.status, second.status]).toEqual([201, 400])
  expect(second.key).toBe(first.key)
  expect(readFileSync(join(cwd, 'secret.key'), 'utf8')).toBe(key)
})

test('loadSettings reads what serve reads, and createAuth takes it', async () => {
  const { cwd, run } = await folderFor()
  writeFileSync(
    join(cwd, 'latchkey.config.json'),
    JSON.stringify({ AUTH_PREFIX: '/members/', REST_AUTH: { USE_JWT: true } }),
  )
  const program = `
    const loaded = await loadSettings()
    if (loaded.REST_AUTH.USE_JWT !== true) throw new Error('Groups are objects.')
    const REST_AUTH = { ...loaded.REST_AUTH, SESSION_LOGIN: false }
    const auth = await createAuth({ ...loaded, REST_AUTH, LOG_LEVEL: 'silent' })
    const answer = await auth.fetch(new Request('http://localhost/members/openapi.json'))
    const { servers, components } = await answer.json()
    console.log(JSON.stringify([servers, Object.keys(components.securitySchemes)]))
    await auth.close()`
  const env = {
    DATABASE_URL: 'sqlite:app.db',
    PUBLIC_URL: 'https://site.example',
    REST_AUTH_TOKEN_MODEL: 'none',
    SIMPLE_JWT_ACCESS_TOKEN_LIFETIME: '1m',
  }
  expect(await run(program, env)).toEqual([[{ url: 'https://site.example/members/' }], ['jwt']])
  expect(existsSync(join(cwd, 'app.db'))).toBe(true)

  const refused = `
    const error = await loadSettings().catch((caught) => caught)
    console.log(JSON.stringify([error instanceof SettingsError, error.mistakes]))`
  const [isSettingsError, mistakes] = await run(refused, {
    REST_AUTH_NO_SUCH_THING: '1',
    PORT: 'x',
  })
  expect(isSettingsError).toBe(true)
  expect(mistakes).toHaveLength(2)
})
