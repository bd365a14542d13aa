import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenerCount } from '../support/listener-count.ts'
import { newCli } from './support/cli.ts'

const MODULES = 'registration,mfa,pages,admin'

/** A connection that is kept would hold up the end of the service for a second. */
async function statusOf(url: string): Promise<number> {
  const reply = await fetch(url, { headers: { connection: 'close', accept: 'application/json' } })
  await reply.arrayBuffer()
  return reply.status
}

const IN_ADMIN = ['/admin/', '/admin/api/openapi.json', '/admin/api/csrf/']
const IN_PUBLIC = ['/auth/openapi.json', '/account/login/', '/healthz', '/readyz']

test('the admin API has a port of its own, and neither port answers for the other', async () => {
  const { serve } = await newCli()
  const { url, stdout } = await serve([], { env: { MODULES, ADMIN_LISTEN: '127.0.0.1:0' } })
  const [, port] = /^Operators sign in at http:\/\/localhost:(\d+)\/admin\/$/m.exec(stdout()) ?? []
  const admin = `http://127.0.0.1:${port}`
  const { origin } = new URL(url)
  expect(admin).not.toBe(origin)
  for (const path of IN_ADMIN) {
    expect([path, await statusOf(admin + path), await statusOf(origin + path)]).toEqual([
      path,
      200,
      404,
    ])
  }
  for (const path of IN_PUBLIC) {
    expect([path, await statusOf(admin + path), await statusOf(origin + path)]).toEqual([
      path,
      404,
      200,
    ])
  }
  expect(await statusOf(`${admin}/admin/api/users/`)).toBe(401)
  expect(await statusOf(`${admin}/metrics`)).toBe(404)
  const document = await fetch(`${admin}/admin/api/openapi.json`, {
    headers: { connection: 'close' },
  })
  expect(await document.json()).toMatchObject({
    servers: [{ url: `http://localhost:${port}/admin/api/` }],
  })
})

test('ADMIN_LISTEN=public puts it on the public port', async () => {
  const { serve } = await newCli()
  const { url, stdout } = await serve([], { env: { MODULES, ADMIN_LISTEN: 'public' } })
  const { origin, port } = new URL(url)
  expect(stdout()).toContain(`Operators sign in at http://localhost:${port}/admin/\n`)
  for (const path of [...IN_ADMIN, ...IN_PUBLIC]) {
    expect([path, await statusOf(origin + path)]).toEqual([path, 200])
  }
  expect(await statusOf(`${origin}/admin/api/users/`)).toBe(401)
})

test('without the module nothing of it is there', async () => {
  const { serve } = await newCli()
  const { url, stdout } = await serve([], { env: { ADMIN_LISTEN: 'public' } })
  expect(stdout()).not.toContain('Operators')
  for (const path of IN_ADMIN) expect(await statusOf(new URL(path, url).href), path).toBe(404)
})

test('the public address, a port in use and nonsense are refused in one sentence', async () => {
  const { run } = await newCli()
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const start = (...set: string[]) =>
    run(['serve', ...set.flatMap((one) => ['--set', one])], { env: { MODULES } })
  for (const address of ['127.0.0.1:8123', '0.0.0.0:8123', 'localhost:8123']) {
    const { code, stdout, stderr } = await start('PORT=8123', `ADMIN_LISTEN=${address}`)
    expect([address, code, stdout]).toEqual([address, 1, ''])
    expect(stderr).toContain(
      'ADMIN_LISTEN: is the public address, 127.0.0.1:8123; choose another port, or public if everybody may reach the admin API\n',
    )
  }
  expect(await start('PORT=0', `ADMIN_LISTEN=127.0.0.1:${port}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} on 127.0.0.1 is already in use. Choose another one with --set ADMIN_LISTEN=127.0.0.1:<number>.\n`,
  })
  for (const address of ['everywhere', '127.0.0.1', ':8001', '127.0.0.1:99999', '']) {
    const { code, stderr } = await start('PORT=0', `ADMIN_LISTEN=${address}`)
    expect([address, code]).toEqual([address, 1])
    expect(stderr).toContain('ADMIN_LISTEN')
  }
})

test('a refused start lets go of the public port', async () => {
  const { run } = await newCli()
  const before = await listenerCount()
  // This address is reserved for documentation, so no machine has it.
  const set = ['--set', 'PORT=0', '--set', 'ADMIN_LISTEN=192.0.2.1:0']
  const { code, stderr } = await run(['serve', ...set], { env: { MODULES } })
  expect(code).toBe(1)
  expect(stderr).toContain('192.0.2.1 is not an address of this machine.')
  expect(await listenerCount()).toBeLessThanOrEqual(before)
})
