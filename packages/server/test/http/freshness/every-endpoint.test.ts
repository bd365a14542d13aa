import { afterAll, expect, test } from 'vitest'
import { unusablePassword } from '../../../src/crypto/password-hash/password-hasher.ts'
import type { Reply } from '../../support/client.ts'
import { callOne, EVERYTHING, SIGNED_IN, STALE, STALE_AFTER } from '../../support/freshness.ts'
import { modes, startMode } from '../../support/modes.ts'

const REQUIRED = { ACCOUNT: { ...EVERYTHING.ACCOUNT, REAUTHENTICATION_REQUIRED: true } }
const ENDPOINTS = Object.entries(SIGNED_IN)

type Started = Awaited<ReturnType<typeof start>>

const start = (mode: (typeof modes)[number], input: object = {}) =>
  startMode(mode, { ...EVERYTHING, ...input }, { atTheEnd: afterAll })

/** Calls every endpoint, each with a login of its own that is as old as it says. */
async function callAll(service: Started, age: number, before = async () => {}) {
  const replies: [endpoint: string, reply: Reply][] = []
  for (const [endpoint] of ENDPOINTS) {
    const caller = await service.logIn()
    await before()
    service.clock.advance(age)
    replies.push([endpoint, await callOne(caller, endpoint)])
    await service.db.updateTable('users').set({ password: HASH }).execute()
  }
  return replies
}

/** What each endpoint answers: the refusal of a stale login, or its own answer to an empty body. */
function answers(isRefused: (wish: (typeof SIGNED_IN)[string]['refused']) => boolean) {
  return ENDPOINTS.map(([endpoint, { refused, status }]) =>
    isRefused(refused) ? [endpoint, ...STALE] : [endpoint, status],
  )
}

const shortened = (replies: Awaited<ReturnType<typeof callAll>>) =>
  replies.map(([endpoint, { status, body }]) =>
    status === 403 ? [endpoint, status, body] : [endpoint, status],
  )

const lenient = await start('token')
const { password: HASH } = await lenient.findUser('ada')

test('the table lists every endpoint that needs a login, and no other', () => {
  const signedIn = lenient.auth.endpoints().filter(({ access }) => access === 'signed-in')
  const named = signedIn.map(({ method, path }) => `${method} ${path}`)
  expect(named.toSorted()).toEqual(Object.keys(SIGNED_IN).toSorted())
})

test.each(modes)(
  '%s mode: a fresh login is refused nowhere, a stale one where it must',
  async (mode) => {
    const service = await start(mode, REQUIRED)
    const fresh = await callAll(service, STALE_AFTER - 1)
    expect(shortened(fresh)).toEqual(answers(() => false))
    const stale = await callAll(service, STALE_AFTER)
    expect(shortened(stale)).toEqual(answers((refused) => refused !== 'never'))
  },
)

test('without the setting, a stale login is refused where it always is', async () => {
  const stale = await callAll(lenient, STALE_AFTER)
  expect(shortened(stale)).toEqual(answers((refused) => refused === 'always'))
})

test('without the setting and without a password, also where the password would be asked', async () => {
  // A service of its own: if the rule fails, the account is deleted.
  const service = await start('token')
  const stale = await callAll(service, STALE_AFTER, async () => {
    await service.db.updateTable('users').set({ password: unusablePassword() }).execute()
  })
  const needed = ['always', 'if-required-or-without-password']
  expect(shortened(stale)).toEqual(answers((refused) => needed.includes(refused)))
})
