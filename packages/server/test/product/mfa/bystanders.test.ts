import { expect, test } from 'vitest'
import { transaction } from '../../../src/storage/transaction.ts'
import { KEY } from '../../support/answers.ts'
import {
  activate,
  challengeOf,
  codeOf,
  createUserWithMfa,
  offerOf,
  verify,
  wrongCode,
} from '../../support/mfa.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

const TABLES = [
  'totp_authenticators',
  'totp_activations',
  'recovery_codes',
  'mfa_challenges',
] as const

/** Bob and Grace come first, so that a lookup that takes any row takes one of theirs. */
async function startWithBystanders() {
  const auth = await startAuth()
  const bob = await createUserWithMfa(auth, 'bob')
  const grace = await auth.createUserWithToken('grace')
  const ada = await createUserWithMfa(auth, 'ada')
  const bobs = await challengeOf(auth, 'bob')
  const graces = await offerOf(auth, { token: grace })
  const { id } = await auth.findUser('ada')
  const rowsOfOthers = async () => {
    const rows: string[] = []
    for (const table of TABLES) {
      const found = auth.db.selectFrom(table).selectAll().where('user_id', '<>', id)
      rows.push(...(await found.execute()).map((row) => `${table} ${JSON.stringify(row)}`))
    }
    return rows.toSorted()
  }
  return { ...auth, ada, bob, bobs, graces, grace, rowsOfOthers }
}

type Started = Awaited<ReturnType<typeof startWithBystanders>>

const logIn = async (auth: StartedAuth, code: unknown) =>
  verify(auth, await challengeOf(auth, 'ada'), code)

const DEACTIVATE = 'mfa/totp/deactivate/'

const steps: Record<string, (auth: Started) => Promise<unknown>> = {
  'a login with the app': async (auth) =>
    expect(await logIn(auth, codeOf(auth, auth.ada.secret))).toMatchReply(200, KEY),
  'a login with a recovery code': async (auth) =>
    expect(await logIn(auth, auth.ada.codes[0])).toMatchReply(200, KEY),
  'a wrong code': async (auth) =>
    expect((await logIn(auth, wrongCode(auth, auth.ada.secret))).status).toBe(400),
  'new recovery codes': async ({ request, ada: { token } }) => {
    const reply = await request.post('mfa/recovery-codes/regenerate/', {}, { token })
    expect(reply.status).toBe(200)
  },
  'a deactivation, and another activation': async (auth) => {
    const { codes, token } = auth.ada
    const off = await auth.request.post(DEACTIVATE, { code: codes[0] }, { token })
    expect(off.status).toBe(200)
    await activate(auth, token)
  },
  'a reset by the operator': async ({ administration, findUser }) =>
    administration.resetMfa(await findUser('ada')),
  'a deletion': async ({ administration, findUser }) =>
    administration.remove(await findUser('ada')),
  'an import': async ({ auth, handle, findUser }) => {
    const { id } = await findUser('ada')
    const given = { app: null, codes: null }
    await transaction(handle, (tx) => auth.services.mfa.adopt.put([{ userId: id, given }], tx))
    expect(await auth.services.mfa.isOn(id)).toBe(false)
  },
}

test.each(Object.entries(steps))('%s: others keep what they have', async (_, step) => {
  const auth = await startWithBystanders()
  const before = await auth.rowsOfOthers()
  // An app, its ten recovery codes, a challenge, and the offer to Grace.
  expect(before).toHaveLength(13)
  await step(auth)
  expect(await auth.rowsOfOthers()).toEqual(before)
})

test('after that the others go on with what they have begun', async () => {
  const auth = await startWithBystanders()
  for (const name of ['a login with the app', 'a deletion']) await steps[name]?.(auth)
  expect(await verify(auth, auth.bobs, codeOf(auth, auth.bob.secret))).toMatchReply(200, KEY)
  const { secret, activation_token } = auth.graces
  const body = { activation_token, code: codeOf(auth, secret) }
  const reply = await auth.request.post('mfa/totp/activate/', body, { token: auth.grace })
  expect(reply.status).toBe(200)
})

test('only the own codes are counted and shown', async () => {
  const auth = await startWithBystanders()
  const { token, codes } = auth.ada
  await logIn(auth, codes[0])
  const status = await auth.request.get('mfa/status/', { token })
  expect(status.body).toMatchObject({ recovery_codes_left: 9 })
  const shown = await auth.request.get('mfa/recovery-codes/', { token })
  expect(shown.body).toEqual({ codes: codes.slice(1) })
  const { id } = await auth.findUser('ada')
  const used = (await auth.administration.history(id)).filter(
    ({ event }) => event === 'recovery_code_used',
  )
  expect(used.map(({ details }) => details)).toEqual(['{"left":9}'])
})

test('who asks about some users learns nothing about others', async () => {
  const { auth, handle, findUser } = await startWithBystanders()
  const [ada, grace] = [await findUser('ada'), await findUser('grace')]
  const { mfa } = auth.services
  expect(await mfa.whoHas([ada.id, grace.id])).toEqual(new Set([ada.id]))
  const marks = await transaction(handle, (tx) => mfa.adopt.marks([ada.id, grace.id], tx))
  expect([...marks]).toEqual([[ada.id, [expect.any(Number), 10, 'ours']]])
})
