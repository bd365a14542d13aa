import { ServerResponse } from 'node:http'
import { afterAll, expect, test, vi } from 'vitest'
import { startAuth } from '../support/start-auth.ts'

const started = await startAuth({}, { atTheEnd: afterAll })

test('a request passes only the hooks that it needs', () => {
  const listed = started.app.printRoutes({ includeHooks: true })
  const hooks = [...listed.matchAll(/• \((\w+)\) (\[.*\])/g)].map(([, kind, functions = '']) => ({
    kind,
    names: JSON.parse(functions) as string[],
  }))
  // Fastify removes the bodies of answers to HEAD.
  const ours = hooks.filter(({ names }) => !names.includes('headRouteOnSendHandler()'))
  // The headers of the answer, wrong methods and, for endpoints, admission. Then the home page.
  expect([...new Set(ours.map(({ kind, names }) => `${kind} ${names.length}`))].toSorted()).toEqual(
    ['onRequest 2', 'onRequest 3', 'preHandler 1'],
  )
})

test('its answer has few headers, which are written at once', async () => {
  const token = await started.createUserWithToken('ada')
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead')
  await started.request.get('user/', { token })
  const heads = writeHead.mock.calls
  vi.restoreAllMocks()
  expect(heads).toEqual([[200, expect.anything()]])
  expect(Object.keys(heads[0]?.[1] as object).toSorted()).toEqual([
    'cache-control',
    'content-length',
    'content-security-policy',
    'content-type',
    'referrer-policy',
    'x-content-type-options',
    'x-frame-options',
    'x-request-id',
  ])
})
