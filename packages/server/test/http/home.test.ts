import { expect, test } from 'vitest'
import { NOT_FOUND } from '../support/answers.ts'
import { startAuth } from '../support/start-auth.ts'

const accepting = (accept: string) => ({ headers: { accept } })
const BROWSER = accepting('text/html,application/xhtml+xml,*/*;q=0.8')

test('a browser at / is sent to the pages, and a script finds nothing there', async () => {
  const { request } = await startAuth({ PAGES_PREFIX: '/me/' })
  for (const path of ['/', '/?from=elsewhere']) {
    const { status, headers, cookies } = await request.get(path, BROWSER)
    expect(status, path).toBe(302)
    expect(headers).toMatchObject({ location: '/me/', 'cache-control': 'no-store', vary: 'Accept' })
    expect(cookies).toEqual([])
  }
  for (const accept of ['*/*', 'application/json', 'text/html;q=0, */*']) {
    expect(await request.get('/', accepting(accept)), accept).toMatchReply(404, NOT_FOUND)
  }
  expect(await request.get('/')).toMatchReply(404, NOT_FOUND)
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect(await request.call(method, '/', undefined, BROWSER), method).toMatchReply(404, NOT_FOUND)
  }
})

test('without pages there is nothing at /, and pages at / stay where they are', async () => {
  const { request } = await startAuth({ MODULES: ['registration'] })
  expect(await request.get('/', BROWSER)).toMatchReply(404, NOT_FOUND)
  const { request: atRoot } = await startAuth({ PAGES_PREFIX: '/' })
  expect((await atRoot.get('/', BROWSER)).status).toBe(200)
  const { request: api } = await startAuth({ AUTH_PREFIX: '/' })
  expect((await api.get('/', BROWSER)).headers.location).toBe('/account/')
  expect(await api.get('/', accepting('*/*'))).toMatchReply(404, NOT_FOUND)
})
