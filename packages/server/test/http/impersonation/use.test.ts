import { expect, test } from 'vitest'
import { createGuards } from '../../../src/library/guards.ts'
import { sent, setUpApp, startAdmin } from '../../support/admin.ts'
import type { Client } from '../../support/client.ts'
import { FROM, NOT_NOW, REASON, startImpersonation } from '../../support/impersonation.ts'
import { bearer, decode } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const MINUTE = 60_000
const JWT = { REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false } }
const BOTH = { REST_AUTH: { ...JWT.REST_AUTH, SESSION_LOGIN: true } }
const INTROSPECTION_KEY = 'a-key-for-the-shop-long-enough-to-be-one'
const BY_GRACE = { pk: expect.any(Number), username: 'grace' }

const introspect = (request: Client, token: string) =>
  request.post('introspect/', { token }, { headers: bearer(INTROSPECTION_KEY).headers })

test('a link opens a session that says who uses it, and leaves no trace of a login', async () => {
  const started = await startImpersonation({ INTROSPECTION_KEY })
  const { impersonate, newBrowser, request, findUser, mail, audited } = started
  const token = await request.post('login/', { username: 'ada', password: PASSWORD })
  const before = await findUser('ada')
  started.clock.advance(MINUTE)

  const { url, access } = await impersonate()
  expect(access).toBe('')
  const browser = newBrowser()
  const opened = await browser.get(url)
  expect(opened.status).toBe(303)
  expect(opened.headers.location).toBe('/account/')
  const shown = { pk: before.id, username: 'ada', impersonated_by: BY_GRACE }
  expect(await browser.get('user/')).toMatchReply(200, expect.objectContaining(shown))
  expect((await introspect(request, browser.cookie('sessionid'))).body).toMatchObject({
    active: true,
    impersonated_by: BY_GRACE,
    expires_at: new Date(started.clock.now() + 30 * MINUTE).toISOString(),
  })

  expect(await findUser('ada')).toEqual(before)
  expect(await mail.templates()).toEqual(['account-used'])
  const { key } = token.body as { key: string }
  const listed = (await request.get('sessions/', { token: key })).body as { method: string }[]
  expect(listed.map(({ method }) => method)).not.toContain('impersonation')
  expect(await request.get('user/', { token: key })).toMatchReply(
    200,
    expect.not.objectContaining({ impersonated_by: expect.anything() }),
  )
  const entry = { operator_name: 'grace', address: FROM, reason: REASON }
  expect(await audited()).toMatchObject([{ event: 'impersonation_started', ...entry }])

  // Its logout ends it, and nothing else of the user.
  expect(await browser.post('logout/', {}, browser.csrf())).toMatchReply(200, expect.anything())
  expect(await browser.get('user/')).toMatchReply(401, expect.anything())
  expect((await request.get('user/', { token: key })).status).toBe(200)
  expect(await audited()).toMatchObject([
    { event: 'impersonation_started', ...entry },
    { event: 'impersonation_ended', how: 'logout', ...entry },
  ])
})

test('a link is good once, for a minute, and only for a page that is opened', async () => {
  const started = await startImpersonation()
  const { impersonate, newBrowser, logInBrowser, request, clock } = started
  const { url } = await impersonate()
  for (const headers of [{ 'sec-fetch-dest': 'image' }, { 'sec-purpose': 'prefetch' }]) {
    expect((await newBrowser().get(url, { headers })).status).toBe(404)
  }
  expect((await newBrowser().call('HEAD', url)).cookies).toEqual([])
  const browsers = [1, 2, 3, 4].map(() => newBrowser())
  const replies = await Promise.all(browsers.map((browser) => browser.get(url)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404])
  for (const [at, { status, cookies }] of replies.entries()) {
    const users = await browsers[at]?.get('user/')
    expect(users?.status).toBe(status === 303 ? 200 : 401)
    expect(cookies.some(({ name }) => name === 'sessionid')).toBe(status === 303)
  }

  const { url: late } = await impersonate()
  clock.advance(MINUTE)
  expect((await newBrowser().get(late)).status).toBe(404)

  // The session of the browser before ends, as it does with a login.
  const browser = await logInBrowser('grace')
  const cookies = { sessionid: browser.cookie('sessionid') }
  await browser.get((await impersonate()).url)
  expect((await request.get('user/', { cookies })).status).toBe(401)
})

test('an access token says who uses it, and is good only while its row is', async () => {
  const started = await startImpersonation(
    { ...JWT, INTROSPECTION_KEY },
    { hooks: { claims: ({ username }) => ({ tenant: username }) } },
  )
  const { impersonate, request, clock, findUser } = started
  const { id } = await findUser('grace')
  const { access, url } = await impersonate()
  expect(url).toBe('')
  const { act, exp, iat, token_type, tenant } = decode(access).claims
  expect({ act, token_type }).toEqual({ act: { sub: String(id) }, token_type: 'access' })
  expect(tenant).toBe('ada')
  expect(Number(exp) - Number(iat)).toBe(30 * 60)

  const check = async () => [
    (await request.get('user/', bearer(access))).status,
    (await request.post('token/verify/', { token: access })).status,
    ((await introspect(request, access)).body as { active: boolean }).active,
  ]
  clock.advance(29 * MINUTE)
  expect(await check()).toEqual([200, 200, true])
  expect((await request.post('logout/', {}, bearer(access))).status).toBe(200)
  expect(await check()).toEqual([401, 401, false])
})

test('neither credential can see or change what is only for the user', async () => {
  const started = await startImpersonation({ ...BOTH, ACCOUNT: { DELETION: true } })
  const { auth, impersonate, newBrowser, request, audited, findUser } = started
  const { access, url } = await impersonate()
  const browser = newBrowser()
  await browser.get(url)
  const before = await findUser('ada')

  const mayUse = new Set<string>()
  for (const { method, path, access: who } of auth.endpoints()) {
    if (who !== 'signed-in') continue
    const at = path.replaceAll(/:\w+/g, '1')
    for (const reply of [
      await request.call(method, at, {}, bearer(access)),
      await browser.call(method, at, {}, browser.csrf()),
    ]) {
      if (reply.status === 200) mayUse.add(`${method} ${path}`)
      else expect(reply, `${method} ${path}`).toMatchReply(403, NOT_NOW)
    }
  }
  expect([...mayUse]).toEqual(['GET user/', 'PUT user/', 'PATCH user/'])
  expect(await findUser('ada')).toEqual(before)

  const change = await request.patch('user/', { first_name: 'Ada' }, bearer(access))
  expect(change).toMatchReply(200, expect.objectContaining({ impersonated_by: BY_GRACE }))
  expect((await audited()).at(-1)).toMatchObject({
    event: 'user_changed',
    fields: 'first_name',
    operator_name: 'grace',
    address: '127.0.0.1',
    reason: REASON,
  })
})

test('it does not start the time that the user has for setting up a second factor', async () => {
  const rule = { MFA_REQUIRED: 'all', MFA_GRACE_DAYS: 7 } as const
  const started = await startImpersonation({ ...BOTH, ...rule })
  const { access, url } = await started.impersonate()
  const browser = started.newBrowser()
  await browser.get(url)
  expect((await browser.get('user/')).status).toBe(200)
  expect((await started.request.get('user/', bearer(access))).status).toBe(200)
  expect(await started.findUser('ada')).toMatchObject({ mfa_asked_at: null })
})

test('a host learns who uses the account, and its strictest guard refuses', async () => {
  const { auth, impersonate, logInBrowser, settings } = await startImpersonation(BOTH)
  const { identify, requireUser, requireFresh } = createGuards(auth)
  const { access } = await impersonate()
  const request = (headers: Record<string, string>) =>
    new Request(new URL('/orders', settings.PUBLIC_URL), { headers })
  const byOperator = request(bearer(access).headers)
  const login = { isFresh: false, impersonatedBy: BY_GRACE, claims: { act: expect.anything() } }
  expect(await identify(byOperator)).toMatchObject({ username: 'ada', login })
  expect(await requireUser(byOperator)).toMatchObject({ username: 'ada', login })
  const refusal = await requireFresh(byOperator).catch((error) => error.getResponse())
  expect([refusal.status, await refusal.json()]).toEqual([403, NOT_NOW])

  const cookie = `sessionid=${(await logInBrowser('ada')).cookie('sessionid')}`
  expect(await requireFresh(request({ cookie }))).toMatchObject({ login: { impersonatedBy: null } })
})

test('only people use an account, only that of an ordinary active user, and with a reason', async () => {
  const started = await startImpersonation()
  const { auth, impersonate, administration, createUser, findUser, audited, mail } = started
  const ada = await findUser('ada')
  const key = { kind: 'key', may: ['read', 'users'] } as const
  for (const actor of [
    { kind: 'cli', may: 'all' } as const,
    { kind: 'host', may: 'all' } as const,
    key,
  ]) {
    await expect(impersonate('ada', actor)).rejects.toMatchObject(refused('not_allowed'))
  }
  await expect(impersonate('grace')).rejects.toMatchObject(refused('own_account'))
  for (const [username, flags] of Object.entries({
    sam: { isStaff: true },
    sue: { isSuperuser: true },
  })) {
    await administration.set(await createUser({ username }), flags)
    const root = { may: 'superuser' } as const
    await expect(impersonate(username, root)).rejects.toMatchObject(refused('not_impersonable'))
  }
  await administration.deactivate(ada)
  await expect(impersonate()).rejects.toMatchObject(refused('not_impersonable'))
  await administration.activate(ada)
  const { id } = await findUser('grace')
  const person = { kind: 'person', name: 'grace', id, may: 'staff' } as const
  for (const reason of [undefined, '', ' ', 'x'.repeat(501)]) {
    const call = auth.services.operations.call(person, 'users.impersonate', { pk: ada.id, reason })
    await expect(call).rejects.toMatchObject({ status: 400 })
  }
  expect(await audited()).toEqual([])
  expect(await mail.of('account-used')).toEqual([])
})

test('in the admin API it needs a reason and a fresh proof', async () => {
  const started = await startAdmin({ ADMIN_IMPERSONATION: true })
  const { createOperator, createUser, newBrowser, clock } = started
  await createOperator('root')
  const { id } = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const { browser } = await setUpApp(started, 'root')
  const path = `users/${id}/impersonate/`
  const ask = (body: object) => browser.post(path, body, sent(browser))
  expect(await ask({})).toMatchReply(400, { reason: ['This field is required.'] })
  const { status, body } = await ask({ reason: REASON })
  expect([status, body]).toEqual([200, { url: expect.stringContaining('/account/impersonate/') }])
  const visitor = newBrowser()
  await visitor.get(new URL((body as { url: string }).url).pathname)
  expect((await visitor.get('user/')).body).toMatchObject({ impersonated_by: { username: 'root' } })
  clock.advance(6 * MINUTE)
  expect((await ask({ reason: REASON })).body).toMatchObject({ code: 'reauthentication_required' })
})

const refused = (code: string) => ({ status: 403, body: { code } })
