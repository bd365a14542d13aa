import { expect, test } from 'vitest'
import { transaction } from '../../../src/storage/transaction.ts'
import type { Reply } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  offerOf,
  verify,
  wrongCode,
} from '../../support/mfa.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/** More than the connections of both instances, ten each, so that some run in parallel and some wait. */
const CROWD = 30

/** Without the limit on wrong codes, so that only the code itself can stop a second use. */
const UNLIMITED = { ACCOUNT: { RATE_LIMITS: { mfa_failed: 'none' } } }

const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function tally(replies: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Two instances with one database, since the guarantees must hold across instances. */
async function startTwo(settings = {}) {
  const first = await startAuth(settings, { shared: true })
  const second = await startAuth(settings, { beside: first, shared: true })
  const either = (index: number): StartedAuth => (index % 2 === 0 ? first : second)
  return { auth: first, either }
}

/** Does what this many first steps of a login do, without hashing the password for each. */
async function openChallenges({ auth, handle, findUser }: StartedAuth, count: number) {
  const ada = await findUser('ada')
  const { challenges } = auth.services.mfa
  return inParallel(count, () =>
    transaction(handle, (tx) => challenges.open(ada, { method: 'password' }, tx)),
  )
}

test('many uses of one challenge and one code: one login', async () => {
  const { auth, either } = await startTwo()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const code = codeOf(auth, secret)
  const replies = await inParallel(CROWD, (index) => verify(either(index), challenge, code))
  expect(tally(replies)).toEqual({ 200: 1, 400: CROWD - 1 })
  expect(await countRows(auth.db, 'logins')).toBe(1)
})

test.each(['one-time', 'recovery'])('many challenges and one %s code: one login', async (kind) => {
  const { auth, either } = await startTwo(UNLIMITED)
  const { secret, codes } = await createUserWithMfa(auth, 'ada')
  const code = kind === 'recovery' ? codes[0] : codeOf(auth, secret)
  const challenges = await openChallenges(auth, CROWD)
  const replies = await inParallel(CROWD, (index) =>
    verify(either(index), challenges[index] ?? '', code),
  )
  expect(tally(replies)).toEqual({ 200: 1, 400: CROWD - 1 })
  expect(await countRows(auth.db, 'logins')).toBe(1)
  expect(await countRows(auth.db, 'recovery_codes')).toBe(kind === 'recovery' ? 9 : 10)
})

test('one challenge and ten recovery codes in parallel: one login, one spent code', async () => {
  const { auth, either } = await startTwo()
  const { codes } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const replies = await inParallel(10, (index) => verify(either(index), challenge, codes[index]))
  expect(tally(replies)).toEqual({ 200: 1, 400: 9 })
  expect(await countRows(auth.db, 'recovery_codes')).toBe(9)
})

test('many guesses at one challenge: five are looked at', async () => {
  const { auth, either } = await startTwo()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  const code = wrongCode(auth, secret)
  const replies = await inParallel(CROWD, (index) => verify(either(index), challenge, code))
  const wrong = replies.filter(({ body }) => 'code' in (body as object))
  expect(wrong).toHaveLength(5)
  expect(tally(replies)).toEqual({ 400: CROWD })
  const refusals = await auth.db.selectFrom('audit_events').select('event').execute()
  expect(refusals.filter(({ event }) => event === 'mfa_refused')).toHaveLength(5)
})

test('many guesses over many challenges: ten are looked at, one notice is sent', async () => {
  const { auth, either } = await startTwo()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenges = await openChallenges(auth, CROWD / 3)
  const code = wrongCode(auth, secret)
  const replies = await inParallel(CROWD, (index) =>
    verify(either(index), challenges[index % challenges.length] ?? '', code),
  )
  expect(tally(replies)).toEqual({ 400: 10, 429: CROWD - 10 })
  const letters = await auth.mail.letters()
  expect(letters.filter(({ template }) => template === 'mfa-guessed')).toHaveLength(1)
})

test('many activations with one offer: one succeeds, and its codes are the ones that count', async () => {
  const { auth, either } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  const body = { activation_token, code: codeOf(auth, secret) }
  const replies = await inParallel(CROWD, (index) =>
    either(index).request.post('mfa/totp/activate/', body, { token }),
  )
  expect(tally(replies)).toEqual({ 200: 1, 400: CROWD - 1 })
  const winner = replies.find(({ status }) => status === 200)?.body as { recovery_codes: string[] }
  const shown = await auth.request.get('mfa/recovery-codes/', { token })
  expect(shown).toMatchReply(200, { codes: winner.recovery_codes })
  expect(await auth.mail.letters()).toHaveLength(1)
})

test('two parallel activations: the codes of the first one work', async () => {
  const { auth, either } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const offers = await inParallel(8, () => offerOf(auth, { token }))
  const replies = await inParallel(8, (index) => {
    const { secret = '', activation_token } = offers[index] ?? {}
    const body = { activation_token, code: codeOf(auth, secret) }
    return either(index).request.post('mfa/totp/activate/', body, { token })
  })
  expect(tally(replies)).toEqual({ 200: 1, 400: 7 })
  const winner = replies.findIndex(({ status }) => status === 200)
  const code = codeOf(auth, offers[winner]?.secret ?? '', 1)
  expect((await verify(auth, await challengeOf(auth, 'ada'), code)).status).toBe(200)
})

test('regenerating in parallel leaves one whole set', async () => {
  const { auth, either } = await startTwo()
  const { token } = await createUserWithMfa(auth, 'ada')
  const replies = await inParallel(16, (index) =>
    either(index).request.post('mfa/recovery-codes/regenerate/', {}, { token }),
  )
  expect(tally(replies)).toEqual({ 200: 16 })
  const shown = await auth.request.get('mfa/recovery-codes/', { token })
  expect(replies.map(({ body }) => body)).toContainEqual(shown.body)
})

test('logins that race with an activation end up without a credential', async () => {
  const { auth, either } = await startTwo()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  const browsers = Array.from({ length: 12 }, (_, index) => either(index).newBrowser())
  const body = { activation_token, code: codeOf(auth, secret) }
  const credentials = { username: 'ada', password: PASSWORD }
  const logins = browsers.map((browser) => browser.post('login/', credentials))
  const activation = auth.request.post('mfa/totp/activate/', body, { token })
  const replies = await Promise.all([...logins, activation])
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  expect((await activation).status).toBe(200)
  // Sessions from before the activation have ended, and no new one was opened after it.
  expect(await countRows(auth.db, 'logins')).toBe(0)
})

test('deactivation, verification, password change and deletion in parallel break nothing', async () => {
  const { auth, either } = await startTwo(UNLIMITED)
  const { codes, token } = await createUserWithMfa(auth, 'ada')
  const ada = await auth.findUser('ada')
  const challenges = await openChallenges(auth, 9)
  const replies = await Promise.all(
    [
      ...challenges.map((challenge, index) => verify(either(index), challenge, codes[index])),
      either(1).request.post('mfa/totp/deactivate/', { code: codes[9] }, { token }),
      either(0).request.post('mfa/recovery-codes/regenerate/', {}, { token }),
    ].concat(
      [
        auth.administration.setPassword(ada, 'quite another one'),
        auth.administration.resetMfa(ada),
        auth.administration.remove(ada),
      ].map(async (work) => {
        // Another one may have deleted the user first.
        await work.catch((error) => expect(error).toMatchObject({ status: 404 }))
        return { status: 0, body: undefined, headers: {}, cookies: [] }
      }),
    ),
  )
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
})
