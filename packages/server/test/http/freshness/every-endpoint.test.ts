import { afterAll, expect, onTestFinished, test } from 'vitest'
import { unusablePassword } from '../../../src/crypto/password-hash/password-hasher.ts'
import { callOne, EVERYTHING, SIGNED_IN, STALE, STALE_AFTER } from '../../support/freshness.ts'
import { modes, startMode } from '../../support/modes.ts'
import { startAuth } from '../../support/start-auth.ts'

const REQUIRED = { ACCOUNT: { ...EVERYTHING.ACCOUNT, REAUTHENTICATION_REQUIRED: true } }
const ENDPOINTS = Object.entries(SIGNED_IN)

const start = (mode: (typeof modes)[number], input: object = {}) =>
  startMode(mode, { ...EVERYTHING, ...input }, { atTheEnd: afterAll })

const services = await Promise.all(modes.map((mode) => start(mode, REQUIRED)))
const lenient = await start('token')
const { password: HASH } = await lenient.findUser('ada')

test('the table lists every endpoint that needs a login, and no other', async () => {
  const { auth } = await startAuth(EVERYTHING)
  const signedIn = auth.endpoints().filter(({ access }) => access === 'signed-in')
  const named = signedIn.map(({ method, path }) => `${method} ${path}`)
  expect(named.toSorted()).toEqual(Object.keys(SIGNED_IN).toSorted())
})

const cases = services.flatMap((service) =>
  ENDPOINTS.map(([endpoint, wish]) => ({ service, mode: service.mode, endpoint, wish })),
)

test.each(cases)('$mode mode: $endpoint by a fresh login is not refused', async (one) => {
  const caller = await one.service.logIn()
  one.service.clock.advance(STALE_AFTER - 1)
  const reply = await callOne(caller, one.endpoint)
  expect([200, 204, 400, 404]).toContain(reply.status)
})

test.each(cases)('$mode mode: $endpoint by a stale login: refused $wish', async (one) => {
  const caller = await one.service.logIn()
  one.service.clock.advance(STALE_AFTER)
  const reply = await callOne(caller, one.endpoint)
  if (one.wish === 'never') expect([200, 204, 400, 404]).toContain(reply.status)
  else expect(reply).toMatchReply(...STALE)
})

test.each(ENDPOINTS)('without the setting, %s by a stale login: refused %s', async (name, wish) => {
  const caller = await lenient.logIn()
  lenient.clock.advance(STALE_AFTER)
  const reply = await callOne(caller, name)
  if (wish === 'always') expect(reply).toMatchReply(...STALE)
  else expect([200, 204, 400, 404]).toContain(reply.status)
})

test.each(ENDPOINTS)(
  'without the setting and without a password, %s: refused %s',
  async (name, wish) => {
    const caller = await lenient.logIn()
    await lenient.db.updateTable('users').set({ password: unusablePassword() }).execute()
    onTestFinished(async () => {
      await lenient.db.updateTable('users').set({ password: HASH }).execute()
    })
    lenient.clock.advance(STALE_AFTER)
    const reply = await callOne(caller, name)
    if (wish === 'never' || wish === 'if-required') expect(reply.status).not.toBe(403)
    else expect(reply).toMatchReply(...STALE)
  },
)
