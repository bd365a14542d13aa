import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, useBrowser } from '../../../server/test/support/browser.ts'
import type { AuthClient, ClientOptions } from '../../src/index.ts'
import { newContext, openTab, tellsOf } from '../support/page.ts'
import { ADA, LIFETIME, SESSION, startService } from '../support/start-service.ts'

declare const auth: AuthClient

const browser = useBrowser()

/** The server of a front end, with empty pages. */
async function startPage(port: number): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
}

const COOKIES = {
  REST_AUTH: {
    USE_JWT: true,
    JWT_AUTH_COOKIE: 'access',
    JWT_AUTH_REFRESH_COOKIE: 'refresh',
    JWT_AUTH_COOKIE_USE_CSRF: true,
  },
  SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true, BLACKLIST_AFTER_ROTATION: true },
}

test.each<[ClientOptions['mode'], Parameters<typeof startService>[0]]>([
  ['session', SESSION],
  ['jwt-cookie', COOKIES],
])('%s: what changes something carries the CSRF token of its cookie', async (mode, settings) => {
  const service = await startService(settings)
  const { page, sent } = await openTab(await newContext(browser()), service, { mode })
  await page.evaluate((ada) => auth.login(ada), ADA)
  await page.evaluate(() => auth.user.update({ first_name: 'Ada' }))
  expect(await page.evaluate(() => auth.user.get())).toMatchObject({ first_name: 'Ada' })
  expect(sent).toEqual(['POST login/', 'PATCH user/', 'GET user/'])

  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).not.toMatch(/access|refresh|eyJ/)
  await page.evaluate(() => auth.logout())
  await expect(page.evaluate(() => auth.user.get())).rejects.toThrow(/not provided/)
  expect(await tellsOf(page)).toMatchObject({ status: 'signed-out', told: ['signed out: logout'] })
})

test.each<[ClientOptions['mode'], Parameters<typeof startService>[0]]>([
  ['session', SESSION],
  ['jwt-cookie', COOKIES],
])('%s: a page of another origin asks for the token, once', async (mode, settings) => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const service = await startService({ ...settings, CORS_ALLOWED_ORIGINS: [origin] })
  await startPage(port)
  const context = await newContext(browser())
  const { page, sent } = await openTab(context, service, { mode }, { origin })

  await page.evaluate((ada) => auth.login(ada), ADA)
  await page.evaluate(() =>
    Promise.all([
      auth.user.update({ first_name: 'Ada' }),
      auth.user.update({ last_name: 'Lovelace' }),
    ]),
  )
  await page.evaluate(() => auth.user.update({ first_name: 'Augusta' }))
  expect(sent.filter((call) => call === 'GET csrf/')).toHaveLength(1)
  expect(sent.filter((call) => call === 'PATCH user/')).toHaveLength(5)
  await page.evaluate(() => auth.logout())
  expect(await tellsOf(page)).toMatchObject({ status: 'signed-out' })
})

test('a visitor without a cookie who must send the token anyway asks for it', async () => {
  const { REST_AUTH } = COOKIES
  const service = await startService({
    REST_AUTH: { ...REST_AUTH, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
  })
  const context = await newContext(browser())
  const { page, sent } = await openTab(context, service, { mode: 'jwt-cookie' })
  await page.evaluate((ada) => auth.login(ada), ADA)
  expect(sent).toEqual(['POST login/', 'GET csrf/', 'POST login/'])
  service.clock.advance(LIFETIME)
  await page.evaluate(() => auth.user.update({ first_name: 'Ada' }))
})

test('fetch takes the origin of the page in every form, and no other', async () => {
  const service = await startService(SESSION)
  const context = await newContext(browser())
  const { page } = await openTab(context, service, { mode: 'session', url: '/auth/' })
  await page.evaluate((ada) => auth.login(ada), ADA)
  const statuses = await page.evaluate(async () => {
    const path = '/auth/user/'
    const forms = [path, new Request(path), new URL(path, location.href)]
    const answers = await Promise.all(forms.map((form) => auth.fetch(form)))
    return answers.map(({ status }) => status)
  })
  expect(statuses).toEqual([200, 200, 200])
  const elsewhere = () => auth.fetch(new Request('//127.0.0.1/auth/user/'))
  await expect(page.evaluate(elsewhere)).rejects.toThrow(/trusted origin/)
})

test('a session that is ended elsewhere signs out', async () => {
  const service = await startService(SESSION)
  const { page } = await openTab(await newContext(browser()), service, { mode: 'session' })
  await page.evaluate((ada) => auth.login(ada), ADA)
  await service.administration.revoke(service.ada)
  expect(await page.evaluate(() => auth.restore())).toMatchObject({ status: 'signed-out' })
  expect(await tellsOf(page)).toMatchObject({ told: ['signed out: refused'] })
})

test('cookies are enough to be signed in again', async () => {
  const service = await startService(COOKIES)
  const context = await newContext(browser())
  const first = await openTab(context, service, { mode: 'jwt-cookie' })
  await first.page.evaluate((ada) => auth.login(ada), ADA)
  await first.page.evaluate(() => localStorage.clear())
  await first.page.close()
  service.clock.advance(LIFETIME)
  await context.clearCookies({ name: 'access' })

  const { page, sent } = await openTab(context, service, { mode: 'jwt-cookie' })
  const state = await page.evaluate(() => auth.restore())
  expect(state).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })
  expect(sent).toEqual(['GET user/', 'POST token/refresh/', 'GET user/'])
})

test('a visitor is told that nobody is signed in, and of no end', async () => {
  const service = await startService(COOKIES)
  const { page } = await openTab(await newContext(browser()), service, { mode: 'jwt-cookie' })
  expect(await page.evaluate(() => auth.restore())).toMatchObject({ status: 'signed-out' })
  expect(await tellsOf(page)).toMatchObject({ told: [] })
})
