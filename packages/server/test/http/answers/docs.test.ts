import { expect, test } from 'vitest'
import { startAuth } from '../../support/start-auth.ts'

const filesOf = (body: unknown) =>
  [...String(body).matchAll(/<(?:script|link rel="stylesheet") (?:src|href)="([^"]+)"/g)].map(
    ([, url]) => url ?? '',
  )

test('the page of the API runs our own files under a strict policy, and is not kept', async () => {
  const { request } = await startAuth({ SITE_NAME: 'Hüte & <Co>' })
  const { status, headers, body } = await request.get('docs/')
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  })
  expect(body).toContain('<title>API · Hüte &#38; &#60;Co&#62;</title>')
  expect(body).not.toMatch(/<style| style="| on\w+=|https?:/)
  expect(body).not.toMatch(/<script[^>]*>[^<]/)
})

test.each(['/auth/docs/', '/auth/docs', '/auth/docs/?a=1', '/auth/docs?a=/'])(
  'the files of %s are found, and kept for good',
  async (path) => {
    const { request } = await startAuth()
    const files = filesOf((await request.get(path)).body)
    expect(files).toHaveLength(4)
    for (const file of files) {
      const { pathname } = new URL(file, `http://localhost:8000${path}`)
      expect(pathname).toMatch(/^\/auth\/docs\/assets\/[\w-]+-[0-9a-f]{10}\.(js|css)$/)
      const { status, headers } = await request.get(pathname)
      expect(status, pathname).toBe(200)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  },
)

test('it follows the prefix, and the name of the CSRF cookie', async () => {
  const { request } = await startAuth({ AUTH_PREFIX: '/', CSRF_COOKIE_NAME: 'xsrf' })
  const { body } = await request.get('/docs/')
  expect(body).toContain('data-csrf-cookie="xsrf"')
  for (const file of filesOf(body)) {
    const { pathname } = new URL(file, 'http://localhost:8000/docs/')
    expect((await request.get(pathname)).status, pathname).toBe(200)
  }
})

test('a file that is not there is not found, wherever it may be', async () => {
  const { request } = await startAuth()
  for (const name of ['nothing.js', '..%2fmanifest.json', 'constructor']) {
    expect((await request.get(`docs/assets/${name}`)).status, name).toBe(404)
  }
})

test('with API_DOCS off there is neither the page nor its files', async () => {
  const { request } = await startAuth()
  const files = filesOf((await request.get('docs/')).body)
  const off = await startAuth({ API_DOCS: false })
  for (const path of ['docs/', ...files.map((file) => `/auth/docs/${file.slice(3)}`)]) {
    expect(await off.request.get(path), path).toMatchReply(404, { detail: 'Not found.' })
  }
  expect((await off.request.get('openapi.json')).status).toBe(200)
})
