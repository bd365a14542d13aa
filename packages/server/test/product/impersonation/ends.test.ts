import { expect, test } from 'vitest'
import { startImpersonation } from '../../support/impersonation.ts'
import { bearer } from '../../support/jwt.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const MINUTE = 60_000
const BOTH = { REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false, SESSION_LOGIN: true } }

test('it ends at the next request with everything that takes away the right to it', async () => {
  const started = await startImpersonation(BOTH)
  const { administration, impersonate, newBrowser, request, findUser, clock, audited } = started
  const changes: Record<string, () => Promise<unknown>> = {
    'the time is over': async () => clock.advance(30 * MINUTE),
    'the operator is deactivated': async () => administration.deactivate(await findUser('grace')),
    'the operator is no longer staff': async () =>
      administration.set(await findUser('grace'), { isStaff: false }),
    'the operator has a new password': async () =>
      administration.setPassword(await findUser('grace'), PASSWORD),
    'the logins of the operator are ended': async () =>
      administration.revoke(await findUser('grace')),
    'the user becomes an operator': async () =>
      administration.set(await findUser('ada'), { isStaff: true }),
    'the user is deactivated': async () => administration.deactivate(await findUser('ada')),
    'the logins of the user are ended': async () => administration.revoke(await findUser('ada')),
    'the operator is deleted': async () => administration.remove(await findUser('grace')),
  }
  for (const [why, change] of Object.entries(changes)) {
    const { access, url } = await impersonate()
    const browser = newBrowser()
    await browser.get(url)
    expect((await browser.get('user/')).status, why).toBe(200)
    clock.advance(1000)
    await change()
    const replies = [
      await browser.get('user/'),
      await request.get('user/', bearer(access)),
      await request.post('token/verify/', { token: access }),
      await browser.patch('user/', { first_name: 'x' }, browser.csrf()),
    ]
    expect(replies.map(({ status }) => status, why)).toEqual([401, 401, 401, 401])
    const events = (await audited()).map(({ event }) => event)
    expect(events.slice(-2), why).toEqual(['impersonation_started', 'impersonation_ended'])
    if (why === 'the operator is deleted') break
    const [ada, grace] = [await findUser('ada'), await findUser('grace')]
    await administration.activate(ada)
    await administration.activate(grace)
    await administration.set(grace, { isStaff: true })
    await administration.set(ada, { isStaff: false })
  }
})

test('an access token that is asked first ends as well', async () => {
  const started = await startImpersonation(BOTH)
  const { administration, impersonate, request, findUser, audited } = started
  const { access } = await impersonate()
  expect((await request.get('user/', bearer(access))).status).toBe(200)
  await administration.set(await findUser('grace'), { isStaff: false })
  for (const _ of [1, 2]) expect((await request.get('user/', bearer(access))).status).toBe(401)
  expect((await audited()).map(({ event }) => event)).toEqual([
    'impersonation_started',
    'impersonation_ended',
  ])
})

test('an end that no request notices is written down by the sweep, once', async () => {
  const { auth, impersonate, clock, audited, db } = await startImpersonation()
  await impersonate()
  await auth.sweep()
  expect(await audited()).toHaveLength(1)
  clock.advance(30 * MINUTE)
  await auth.sweep()
  await auth.sweep()
  expect((await audited()).map(({ event, how }) => [event, how])).toEqual([
    ['impersonation_started', undefined],
    ['impersonation_ended', 'expired'],
  ])
  expect(await db.selectFrom('impersonations').selectAll().execute()).toEqual([])
})

test('an end that meets a use is one end, and no request after it succeeds', async () => {
  const { browseAsAda, audited, administration, findUser } = await startImpersonation()
  const browser = await browseAsAda()
  const ada = await findUser('ada')
  const replies = await Promise.all([
    browser.get('user/'),
    browser.post('logout/', {}, browser.csrf()),
    administration.revoke(ada),
    browser.post('logout/', {}, browser.csrf()),
    browser.get('user/'),
  ])
  for (const reply of replies) if (reply) expect([200, 401, 403]).toContain(reply.status)
  expect((await browser.get('user/')).status).toBe(401)
  const ends = (await audited()).filter(({ event }) => event === 'impersonation_ended')
  expect(ends).toHaveLength(1)
})

test('without the setting there is no such operation, and what was lent is void', async () => {
  const started = await startImpersonation({}, { shared: true })
  const browser = await started.browseAsAda()
  const off = await startAuth({ ADMIN_IMPERSONATION: false }, { beside: started })
  const cookies = { sessionid: browser.cookie('sessionid') }
  expect((await started.request.get('user/', { cookies })).status).toBe(200)
  expect((await off.request.get('user/', { cookies })).status).toBe(401)
})
