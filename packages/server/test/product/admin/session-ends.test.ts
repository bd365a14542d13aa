import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import {
  logInAdmin,
  passwordOf,
  sent,
  setFlags,
  setUpApp,
  startAdmin,
} from '../../support/admin.ts'
import { activate, codeOf } from '../../support/mfa.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const NOBODY = { detail: 'Authentication credentials were not provided.' }
const HOUR = 60 * MINUTE

test('a session ends when it is idle for 30 minutes, and after 8 hours', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { browser, secret } = await setUpApp(started, 'grace')
  started.clock.advance(30 * MINUTE - 1)
  expect((await browser.get('session/')).status).toBe(200)
  started.clock.advance(30 * MINUTE)
  expect(await browser.get('session/')).toMatchReply(401, NOBODY)

  const { browser: busy } = await logInAdmin(started, 'grace', secret)
  for (let used = 0; used < 8 * HOUR - 20 * MINUTE; used += 20 * MINUTE) {
    started.clock.advance(20 * MINUTE)
    expect((await busy.get('session/')).status).toBe(200)
  }
  started.clock.advance(20 * MINUTE)
  expect((await busy.get('session/')).status).toBe(401)
})

test('a session from before the clock was set back has ended, and its proof is stale', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { id } = await started.createUser({ username: 'ada' })
  const { browser } = await setUpApp(started, 'grace')
  const change = () => browser.post(`users/${id}/deactivate/`, {}, sent(browser))
  started.clock.advance(-5000)
  expect((await browser.get('session/')).status).toBe(200)
  expect((await change()).status).toBe(200)
  const ahead = started.clock.now() + 5001
  await started.db.updateTable('admin_sessions').set({ proved_at: ahead }).execute()
  expect((await change()).status).toBe(403)
  started.clock.advance(-1)
  expect(await browser.get('session/')).toMatchReply(401, NOBODY)
})

test('a session ends at once with the flag, the password, the factor and a revocation', async () => {
  const started = await startAdmin()
  const { administration, clock } = started
  const operator = await started.createOperator('grace')
  await started.createOperator('linus')
  const { secret } = await setUpApp(started, 'grace')
  const user = () => started.findUser('grace')
  const ends: Record<string, () => Promise<unknown>> = {
    async flags() {
      await setFlags(started, operator, {})
      return () => setFlags(started, operator, { superuser: true })
    },
    password: async () => administration.setPassword(await user(), PASSWORD),
    logins: async () => administration.revoke(await user()),
    async deactivation() {
      await administration.deactivate(await user())
      await administration.activate(await user())
    },
    factor: async () => administration.resetMfa(await user()),
  }
  for (const [name, end] of Object.entries(ends)) {
    const { browser } = await logInAdmin(started, 'grace', secret)
    expect((await browser.get('session/')).status, name).toBe(200)
    const undo = await end()
    expect((await browser.get('session/')).status, name).toBe(401)
    if (typeof undo === 'function') await undo()
    clock.advance(MINUTE)
  }
})

test('a person who ends their other logins at the public API also ends admin sessions', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const token = (
    (await started.request.post('login/', passwordOf('grace'))).body as { key: string }
  ).key
  const { secret } = await activate(started, token)
  const { browser } = await logInAdmin(started, 'grace', secret)
  started.clock.advance(MINUTE)
  const off = await started.request.post(
    'mfa/totp/deactivate/',
    { code: codeOf(started, secret) },
    { token },
  )
  expect(off.status).toBe(200)
  expect((await browser.get('session/')).status).toBe(401)
})
