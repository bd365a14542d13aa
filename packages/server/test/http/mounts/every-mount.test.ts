import { describe, expect, test } from 'vitest'
import { callerOf, embed, PAGE } from '../../support/embed.ts'
import { FROM_HOST, hosts } from '../../support/hosts.ts'

const FRONT_END = 'https://app.example'

describe.each(hosts)('in $name', (host) => {
  async function start(...[settings]: Parameters<typeof embed>) {
    const { auth } = await embed({ ...host.settings, ...settings })
    return callerOf(await host.start(auth), host)
  }

  test('pages, documents and their addresses follow the place', async () => {
    const { get } = await start()
    const login = await get(`${host.pages}login/`, PAGE)
    expect([login.status, login.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(login.body).toContain(`"api":"${host.api}"`)
    expect(login.body).toContain(`"pages":"${host.pages}"`)
    const [, asset = ''] = /src="([^"]+\.js)"/.exec(login.body) ?? []
    expect((await get(new URL(asset, `http://host${host.pages}login/`).pathname)).status).toBe(200)
    const openapi = await get('openapi.json')
    expect(openapi.body.servers).toEqual([{ url: `http://localhost:8000${host.api}` }])
    expect((await get('docs/', PAGE)).body).toContain('<html')
  })

  test('methods and paths are answered as everywhere', async () => {
    const { call, get } = await start({ CORS_ALLOWED_ORIGINS: [FRONT_END] })
    const wrong = await call('DELETE', 'login')
    expect(wrong.headers.get('content-type')).toBe('application/json')
    expect([wrong.status, wrong.body]).toEqual([405, { detail: 'Method "DELETE" not allowed.' }])
    expect(wrong.headers.get('allow')).toBe('OPTIONS, POST')
    const options = await call('OPTIONS', 'login/')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS, POST'])
    const head = await call('HEAD', 'openapi.json')
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe('application/json')
    const preflight = await call('OPTIONS', 'login/', undefined, {
      origin: FRONT_END,
      'access-control-request-method': 'POST',
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(FRONT_END)
    for (const path of ['nothing/', 'nothing?a=b']) {
      const unknown = await get(path)
      expect([path, unknown.status, unknown.body]).toEqual([path, 404, { detail: 'Not found.' }])
      expect(unknown.headers.get('content-type')).toBe('application/json')
    }
    const odd = await call('POST', 'nothing/', 'x', { 'content-type': 'text/plain' })
    expect([odd.status, odd.body]).toEqual([404, { detail: 'Not found.' }])
    const elsewhere = await get('/elsewhere')
    expect(elsewhere.status).toBe(404)
    const isHost = !['node:http', 'fetch'].includes(host.name)
    expect(elsewhere.body).toEqual(isHost ? FROM_HOST : { detail: 'Not found.' })
  })
})
