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

test('it needs little of its surroundings: no page, no locks, no URL', async () => {
  const { url, clock } = await startService(ROTATING)
  const surroundings = {
    fetch,
    Headers,
    Request,
    AbortController: BareAbortController,
    setTimeout,
    clearTimeout,
    atob,
  }
  const context = createContext(surroundings) as { auth: AuthClient }
  runInContext(await bundle('front.ts'), context)
  runInContext(`start({ mode: 'jwt', url: '${url}' })`, context)
  const { auth } = context

  await auth.login(ADA)
  clock.advance(LIFETIME)
  const users = await Promise.all([auth.user.get(), auth.user.get()])
  expect(users).toMatchObject([{ username: 'ada' }, { username: 'ada' }])
  await expect(auth.user.get({ signal: AbortSignal.abort() })).rejects.toThrow()
  expect(auth.passkeys.isSupported()).toBe(false)
  await auth.logout()
  expect(auth.state.status).toBe('signed-out')
})
