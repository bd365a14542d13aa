import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../../server/test/support/browser.ts'
import type { AuthClient } from '../../src/index.ts'
import { newContext, openTab, tellsOf } from '../support/page.ts'
import {
  ADA,
  COOKIES,
  LIFETIME,
  ROTATING,
  SESSION,
  startService,
} from '../support/start-service.ts'

declare const auth: AuthClient

const browser = useBrowser('apart')

const NO_LOCKS = 'delete Navigator.prototype.locks'
/** Under load, a tab sees what another one has stored some time later. */
const SEEN_LATE = `
  const { getItem, setItem } = Storage.prototype
  const seen = new Map()
  Storage.prototype.getItem = function (key) {
    if (!seen.has(key)) seen.set(key, getItem.call(this, key))
    return seen.get(key)
  }
  Storage.prototype.setItem = function (key, value) {
    seen.set(key, value)
    setItem.call(this, key, value)
  }
  addEventListener('storage', ({ key, newValue }) => setTimeout(() => seen.set(key, newValue), 100))
`
/** The storage fails for as long as the page says. */
const LOCKED = `
  for (const name of ['getItem', 'setItem']) {
    const original = Storage.prototype[name]
    Storage.prototype[name] = function (...args) {
      if (globalThis.locked) throw new Error('locked')
      return original.apply(this, args)
    }
  }
`
const REFRESH = 'POST token/refresh/'

test.each([
  ['in cookies', COOKIES, 'jwt-cookie', ''],
  ['in cookies, without navigator.locks', COOKIES, 'jwt-cookie', NO_LOCKS],
  ['in the storage', ROTATING, 'jwt', ''],
  ['in the storage, without navigator.locks', ROTATING, 'jwt', NO_LOCKS],
  ['in a storage that is slow', ROTATING, 'jwt', SEEN_LATE],
] as const)('tokens %s: two tabs, ten calls, one refresh', async (_, settings, mode, before) => {
  const service = await startService(settings)
  const context = await newContext(browser())
  const open = () => openTab(context, service, { mode }, { before })
  const one = await open()
  await one.page.evaluate((ada) => auth.login(ada), ADA)
  const two = await open()
  await two.page.evaluate(() => auth.restore())
  service.clock.advance(LIFETIME)

  const fiveCalls = () => Promise.all(Array.from({ length: 5 }, () => auth.user.get()))
  const users = await Promise.all([one.page.evaluate(fiveCalls), two.page.evaluate(fiveCalls)])
  expect(users.flat()).toHaveLength(10)
  expect(one.count(REFRESH) + two.count(REFRESH)).toBe(1)

  // The family is alive: nobody has used a token twice.
  service.clock.advance(LIFETIME)
  await two.page.evaluate(() => auth.user.get())
  await one.page.evaluate(() => auth.user.get())
  expect(one.count(REFRESH) + two.count(REFRESH)).toBe(2)
})

test('a logout reaches the other tabs, and so does the next login', async () => {
  const service = await startService(COOKIES)
  await service.createUser({ username: 'bob' })
  const context = await newContext(browser())
  const one = await openTab(context, service, { mode: 'jwt-cookie' })
  await one.page.evaluate((ada) => auth.login(ada), ADA)
  const two = await openTab(context, service, { mode: 'jwt-cookie' })
  await two.page.evaluate(() => auth.restore())
  expect(await tellsOf(two.page)).toMatchObject({ status: 'signed-in', username: 'ada' })

  await one.page.evaluate(() => auth.logout())
  await two.page.waitForFunction(() => auth.state.status === 'signed-out')
  await one.page.evaluate((bob) => auth.login(bob), { ...ADA, username: 'bob' })
  await two.page.waitForFunction(() => auth.state.status === 'signed-in')
  await two.page.evaluate(() => auth.restore())
  expect(await tellsOf(two.page)).toEqual({
    status: 'signed-in',
    username: 'bob',
    told: ['signed out: elsewhere'],
  })
})

test.each([
  ['session', SESSION, 'sessionid'],
  ['jwt-cookie', COOKIES, 'access'],
] as const)('%s: tabs hear of a cookie of another user, whoever has set it', async (...given) => {
  const [mode, settings, name] = given
  const service = await startService(settings)
  await service.createUser({ username: 'bob' })
  const context = await newContext(browser())
  const one = await openTab(context, service, { mode })
  await one.page.evaluate(async (ada) => {
    await auth.login(ada)
    if (!auth.state.user) await auth.restore()
  }, ADA)

  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...ADA, username: 'bob' })
  const answer = await fetch(`${service.url}login/`, { method: 'POST', headers, body })
  const cookies = answer.headers.getSetCookie().map((line) => line.split(/[=;]/))
  const [, value = ''] = cookies.find(([one]) => one === name) ?? []
  await context.addCookies([{ name, value, url: service.origin }])
  const two = await openTab(context, service, { mode })
  await two.page.evaluate(() => auth.restore())
  await one.page.waitForFunction(() => auth.state.user === undefined)

  // That is settled now: the next answer about the same user changes nothing.
  for (const { page } of [one, two]) await page.evaluate(() => auth.restore())
  for (const { page } of [one, two]) {
    expect(await tellsOf(page)).toEqual({ status: 'signed-in', username: 'bob', told: [] })
  }
})

test.each([
  ['session', SESSION],
  ['jwt-cookie', COOKIES],
] as const)('%s: tabs that start together all learn the user', async (mode, settings) => {
  const service = await startService(settings)
  const context = await newContext(browser())
  const one = await openTab(context, service, { mode })
  await one.page.evaluate(async (ada) => {
    await auth.login(ada)
    localStorage.clear()
  }, ADA)
  const two = await openTab(context, service, { mode })
  const asked: Route[] = []
  // The route stays: while one ends, Playwright may not report the next request.
  await two.page.route('**/user/', async (route) => {
    if (asked.push(route) > 1) await route.continue()
  })
  const restored = two.page.evaluate(() => auth.restore())
  await expect.poll(() => asked.length).toBe(1)
  await one.page.evaluate(() => auth.restore())
  await two.page.waitForFunction(() => auth.state.status === 'signed-in')
  await asked[0]?.continue()
  expect(await restored).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })
  expect(two.sent).toEqual(['GET user/', 'GET user/'])
})

test('what another tab stores replaces a login that could not be stored', async () => {
  const service = await startService(ROTATING)
  await service.createUser({ username: 'bob' })
  const context = await newContext(browser())
  const one = await openTab(context, service, { mode: 'jwt' }, { before: LOCKED })
  const errors: Error[] = []
  one.page.on('pageerror', (error) => errors.push(error))
  await one.page.evaluate((ada) => {
    Object.assign(globalThis, { locked: true })
    return auth.login(ada)
  }, ADA)
  const heard = one.page.evaluate(
    () => new Promise<void>((resolve) => addEventListener('storage', () => resolve())),
  )
  const two = await openTab(context, service, { mode: 'jwt' })
  await two.page.evaluate((bob) => auth.login(bob), { ...ADA, username: 'bob' })
  await heard
  expect(await tellsOf(one.page)).toMatchObject({ status: 'signed-in', username: 'ada', told: [] })

  await one.page.evaluate(() => Object.assign(globalThis, { locked: false }))
  expect(await one.page.evaluate(() => auth.user.get())).toMatchObject({ username: 'bob' })
  expect(await two.page.evaluate(() => auth.user.get())).toMatchObject({ username: 'bob' })
  expect(errors).toEqual([])
})
