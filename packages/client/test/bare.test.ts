import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { AuthClient } from '../src/index.ts'
import { bundle } from './support/page.ts'
import { ADA, LIFETIME, ROTATING, startService } from './support/start-service.ts'

/** As in React Native: signals have neither reasons nor `AbortSignal.any()`. */
class BareAbortController {
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal
  abort(): void {
    this.#controller.abort()
  }
}

/** A client in an app that has little else. Its requests are in `sent`. */
async function startIn(more: object) {
  const { url, clock } = await startService(ROTATING)
  const sent: string[] = []
  const surroundings = {
    fetch: (address: string, init: RequestInit) => {
      sent.push(address.replace(url, ''))
      return fetch(address, init)
    },
    Headers,
    Request,
    AbortController: BareAbortController,
    setTimeout,
    clearTimeout,
    atob,
    ...more,
  }
  const context = createContext(surroundings) as { auth: AuthClient }
  runInContext(await bundle('front.ts'), context)
  runInContext(`start({ mode: 'jwt', url: '${url}' })`, context)
  return { auth: context.auth, clock, sent }
}

test('it needs little of its surroundings: no page, no locks, no URL', async () => {
  const { auth, clock } = await startIn({})
  await auth.login(ADA)
  clock.advance(LIFETIME)
  const users = await Promise.all([auth.user.get(), auth.user.get()])
  expect(users).toMatchObject([{ username: 'ada' }, { username: 'ada' }])
  await expect(auth.user.get({ signal: AbortSignal.abort() })).rejects.toThrow()
  expect(auth.passkeys.isSupported()).toBe(false)
  await auth.logout()
  expect(auth.state.status).toBe('signed-out')
})

const DENIED = new DOMException('The request was denied.', 'SecurityError')

/** A browser with these locks. */
const browserWith = (request: LockManager['request']) => ({
  document: {},
  navigator: { locks: { request } },
})

test.each([
  ['denies locks', browserWith(() => Promise.reject(DENIED))],
  [
    'takes a lock away',
    browserWith(async (_name: string, hold: unknown) => {
      await (hold as () => Promise<void>)()
      throw DENIED
    }),
  ],
  [
    'has no locks, and a full storage',
    {
      document: {},
      navigator: {},
      addEventListener() {},
      removeEventListener() {},
      localStorage: {
        getItem: () => null,
        setItem() {
          throw DENIED
        },
        removeItem() {},
      },
    },
  ],
])('in a browser that %s, every task runs once', async (_, surroundings) => {
  const { auth, clock, sent } = await startIn(surroundings)
  await auth.login(ADA)
  clock.advance(LIFETIME)
  await Promise.all([auth.user.get(), auth.user.get()])
  await auth.logout()
  expect(auth.state.status).toBe('signed-out')
  const locked = sent.filter((path) => /refresh|logout/.test(path))
  expect(locked).toEqual(['token/refresh/', 'logout/'])
})
