import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { expect, onTestFinished, test, vi } from 'vitest'
import { STRONG, signup } from '../support/accounts.ts'
import { type Example, ROOT, startExample } from './start-example.ts'

/** The build and the start of a program. */
const SLOW = { timeout: 300_000 }

const NOT_SIGNED_IN = { detail: 'Authentication credentials were not provided.' }

type Answer = Record<string, string>

const EXAMPLES = [
  {
    name: 'fastify',
    api: '/members/',
    pages: '/account/',
    tokenIn: ({ key }: Answer) => `Token ${key}`,
  },
  {
    name: 'express',
    api: '/members/',
    pages: '/members/account/',
    tokenIn: ({ key }: Answer) => `Token ${key}`,
    async more({ call }: Example) {
      const stranger = signup('eve', 'eve@elsewhere.example')
      const refused = await call('POST', '/members/registration/', { body: stranger })
      expect(refused).toMatchObject({
        status: 400,
        body: { email: ['Only addresses of example.com can register here.'] },
      })
      const body = { username: 'eve', password: STRONG }
      expect((await call('POST', '/members/login/', { body })).status).toBe(400)
    },
  },
  {
    name: 'hono',
    api: '/api/auth/',
    pages: '/account/',
    tokenIn: ({ access }: Answer) => `Bearer ${access}`,
    async more(_: Example, token: string) {
      const payload = token.split('.')[1] ?? ''
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
        plan: 'team',
      })
    },
  },
]

test.each(EXAMPLES)('the example $name', SLOW, async ({ name, api, pages, tokenIn, more }) => {
  const example = await startExample(name)
  const { call, stop } = example
  expect(await call('GET', '/notes')).toMatchObject({ status: 401, body: NOT_SIGNED_IN })

  const registered = await call('POST', `${api}registration/`, { body: signup('ada') })
  expect(registered.status).toBe(201)
  const credentials = { username: 'ada', password: STRONG }
  const login = await call('POST', `${api}login/`, { body: credentials })
  expect(login.status).toBe(200)
  const token = tokenIn(login.body)

  // The hook is told after the answer.
  await vi.waitFor(async () => {
    const notes = await call('GET', '/notes', { token })
    expect(notes).toMatchObject({ status: 200, body: ['Welcome, ada!'] })
  }, 60_000)
  const added = await call('POST', '/notes', { token, body: { text: 'Buy milk' } })
  expect(added).toMatchObject({ status: 201, body: ['Welcome, ada!', 'Buy milk'] })
  const refused = await call('POST', '/notes', { body: { text: 'Sell milk' } })
  expect(refused).toMatchObject({ status: 401, body: NOT_SIGNED_IN })
  expect((await call('GET', '/notes', { token: `${token}x` })).status).toBe(401)

  expect((await call('GET', '/')).body).toContain(pages)
  const page = await call('GET', `${pages}login/`)
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<title>') })
  await more?.(example, token)

  expect(await stop()).toMatchObject({ code: 0 })
  await expect(fetch(example.url)).rejects.toThrow()
})

test('the example next opens its service again after a failure', SLOW, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const input = join(ROOT, 'examples/next/lib/app.ts')
  await build({
    input,
    platform: 'node',
    external: ['latchkey'],
    output: { file: join(folder, 'app.mjs') },
  })
  // The folder of the database cannot be made.
  await writeFile(join(folder, 'data'), '')
  const script = `import { rmSync } from 'node:fs'
    import { getApp } from './app.mjs'
    await getApp().catch(() => process.stdout.write('failed, '))
    rmSync('data')
    const { auth } = await getApp()
    await auth.close()
    process.stdout.write('opened')`
  const run = ['--input-type=module', '--eval', script]
  const output = execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' })
  expect(output).toMatch(/failed, .*opened$/s)
})
