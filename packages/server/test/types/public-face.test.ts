import { expect, test } from 'vitest'
import { endpoint } from '../../src/http/endpoint.ts'
import { text } from '../../src/http/fields.ts'
import { type Auth, createAuth } from '../../src/index.ts'
import { fault, problem } from '../../src/kernel/problems.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'

// Code that must not compile is marked, and `npm run check` fails if it compiles. The functions are never
// called: that the compiler reads them is the test.

test('settings have types, and do not change while the service runs', () => {
  const { REST_AUTH, ACCOUNT } = resolveSettings({ REST_AUTH: { USE_JWT: true } })
  const usesJwt: boolean = REST_AUTH.USE_JWT
  const verification: 'none' | 'optional' | 'mandatory' = ACCOUNT.EMAIL_VERIFICATION
  // @ts-expect-error: read-only
  const change = () => (REST_AUTH.USE_JWT = false)
  expect({ usesJwt, verification }).toEqual({ usesJwt: true, verification: 'optional' })
  expect(change).toBeTypeOf('function')
})

test('a service is made from settings, and is what a host mounts', () => {
  const use = (auth: Auth) => {
    const fastify: (...args: never[]) => Promise<void> = auth.fastify
    const fetch: (request: Request) => Promise<Response> = auth.fetch
    const admin: [Auth['fastify'], Auth['express'], Auth['fetch']] = [
      auth.adminFastify,
      auth.adminExpress,
      auth.adminFetch,
    ]
    const closed: Promise<void> = auth.close()
    // @ts-expect-error: a host does not reach inside
    auth.services
    return { fastify, fetch, admin, closed }
  }
  const make = () => [
    createAuth({}, { clock: { now: () => 0 }, migrate: false, log: console }),
    // @ts-expect-error: no such setting
    createAuth({ REST_AUTH: { USE_JWTS: true } }),
    // @ts-expect-error: no such option
    createAuth({}, { clocks: { now: () => 0 } }),
  ]
  expect([use, make]).toHaveLength(2)
})

test('an endpoint that forgets what it must say does not compile', () => {
  const common = {
    method: 'POST',
    path: 'made-up/',
    operationId: 'madeUp',
    summary: 'Made up',
    replies: { 204: null },
    handle: async () => undefined,
  } as const
  const NAME = { name: text({ max: 150 }) }
  const right = endpoint({
    ...common,
    access: 'public',
    throttle: 'none',
    body: NAME,
    refusals: ['mfa_not_enabled', () => problem('too_many_passkeys', { max: 1 })],
    faults: { name: ['username_taken', fault('password_too_short', { min: 8 })] },
  })
  const open = { ...common, access: 'public', throttle: 'none' } as const
  const signedIn = {
    ...common,
    access: 'signed-in',
    throttle: 'none',
    restricted: 'refused',
  } as const
  const wrong = () => [
    // @ts-expect-error: who may call it?
    endpoint({ ...common, throttle: 'none' }),
    // @ts-expect-error: is it limited?
    endpoint({ ...common, access: 'public' }),
    // @ts-expect-error: must the credential be fresh?
    endpoint(signedIn),
    // @ts-expect-error: nobody is signed in who could be asked again
    endpoint({ ...open, freshness: 'required' }),
    // @ts-expect-error: may a restricted credential call it?
    endpoint({ ...common, access: 'signed-in', throttle: 'none', freshness: 'not-needed' }),
    // @ts-expect-error: the same if a credential is optional
    endpoint({ ...common, access: 'if-signed-in', throttle: 'none' }),
    // @ts-expect-error: no credential is used
    endpoint({ ...open, restricted: 'refused' }),
    // @ts-expect-error: no such field
    endpoint({ ...signedIn, body: NAME, freshness: { unlessSent: 'old_password' } }),
    // @ts-expect-error: no such problem
    endpoint({ ...open, refusals: ['mfa_not_on'] }),
    // @ts-expect-error: it belongs to a field, so it is a fault
    endpoint({ ...open, refusals: ['username_taken'] }),
    // @ts-expect-error: its text needs a number
    endpoint({ ...open, refusals: ['too_many_passkeys'] }),
    // @ts-expect-error: without a login there is no identity
    endpoint({ ...open, handle: async ({ identity }) => void identity.via }),
  ]
  expect(right.operationId).toBe('madeUp')
  expect(wrong).toBeTypeOf('function')
})
