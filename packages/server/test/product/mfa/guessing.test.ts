import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  DEAD_TOKEN,
  MFA_REQUIRED,
  verify,
  WRONG_CODE,
  wrongCode,
} from '../../support/mfa.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

async function guess(auth: StartedAuth, secret: string, times: number): Promise<void> {
  let challenge = ''
  for (let i = 0; i < times; i++) {
    if (i % 5 === 0) challenge = await challengeOf(auth, 'ada')
    expect(await verify(auth, challenge, wrongCode(auth, secret))).toMatchReply(400, WRONG_CODE)
  }
}

const noticesIn = ({ mail }: StartedAuth) => mail.of('mfa-guessed')

test('the fifth wrong code ends a challenge, for a right code too', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  for (let i = 0; i < 5; i++) {
    expect(await verify(auth, challenge, wrongCode(auth, secret))).toMatchReply(400, WRONG_CODE)
  }
  expect(await verify(auth, challenge, codeOf(auth, secret))).toMatchReply(400, DEAD_TOKEN)
  const fresh = await challengeOf(auth, 'ada')
  expect(await verify(auth, fresh, codeOf(auth, secret))).toMatchReply(200, KEY)
})

test('a right code at the fifth try is accepted', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  for (let i = 0; i < 4; i++) await verify(auth, challenge, wrongCode(auth, secret))
  expect(await verify(auth, challenge, codeOf(auth, secret))).toMatchReply(200, KEY)
})

test('ten wrong codes lock the second step for 15 minutes, for all challenges', async () => {
  const auth = await startAuth()
  const { secret, codes } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 10)
  const challenge = await challengeOf(auth, 'ada')
  for (const code of [codeOf(auth, secret), codes[0], wrongCode(auth, secret)]) {
    expect(await verify(auth, challenge, code)).toBeThrottled(900)
  }
  auth.clock.advance(899_000)
  expect(await verify(auth, await challengeOf(auth, 'ada'), codes[0])).toBeThrottled(1)
  auth.clock.advance(1000)
  expect(await verify(auth, await challengeOf(auth, 'ada'), codes[0])).toMatchReply(200, KEY)
})

test('a locked second step costs the challenge no try', async () => {
  const auth = await startAuth({ REST_AUTH: { MFA_EPHEMERAL_TOKEN_TIMEOUT: 3600 } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 10)
  const challenge = await challengeOf(auth, 'ada')
  for (let i = 0; i < 6; i++) {
    expect(await verify(auth, challenge, codeOf(auth, secret))).toBeThrottled(900)
  }
  auth.clock.advance(900_000)
  expect(await verify(auth, challenge, codeOf(auth, secret))).toMatchReply(200, KEY)
})

test('while the second step is locked the password step is as ever, and others are not locked', async () => {
  const auth = await startAuth()
  const ada = await createUserWithMfa(auth, 'ada')
  const bob = await createUserWithMfa(auth, 'bob')
  await guess(auth, ada.secret, 10)
  const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  const challenge = await challengeOf(auth, 'bob')
  expect(await verify(auth, challenge, codeOf(auth, bob.secret))).toMatchReply(200, KEY)
})

test("a success of the owner does not give back the attacker's guesses", async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 9)
  const owner = await challengeOf(auth, 'ada')
  expect(await verify(auth, owner, codeOf(auth, secret))).toMatchReply(200, KEY)
  await guess(auth, secret, 1)
  expect(await verify(auth, await challengeOf(auth, 'ada'), '123456')).toBeThrottled(900)
})

test('right codes are not counted at all', async () => {
  const auth = await startAuth()
  const { codes, secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 5)
  for (const code of codes) {
    expect(await verify(auth, await challengeOf(auth, 'ada'), code)).toMatchReply(200, KEY)
  }
  await guess(auth, secret, 5)
})

test('guesses at switching MFA off come out of the same budget', async () => {
  const auth = await startAuth()
  const { secret, token } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 5)
  const deactivate = (code: string) =>
    auth.request.post('mfa/totp/deactivate/', { code }, { token })
  for (let i = 0; i < 5; i++) {
    expect(await deactivate(wrongCode(auth, secret))).toMatchReply(400, WRONG_CODE)
  }
  expect(await deactivate(codeOf(auth, secret))).toBeThrottled(900)
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, codeOf(auth, secret))).toBeThrottled(900)
})

test('the owner gets one mail when the account is locked', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 9)
  expect(await noticesIn(auth)).toEqual([])
  await guess(auth, secret, 1)
  const notice = { to: 'ada@example.com', template: 'mfa-guessed', values: { username: 'ada' } }
  expect(await noticesIn(auth)).toEqual([notice])
  await verify(auth, await challengeOf(auth, 'ada'), '123456')
  expect(await noticesIn(auth)).toEqual([notice])
})

test('an attacker who comes back for every single guess does not fill the mailbox', async () => {
  const auth = await startAuth({ ACCOUNT: { RATE_LIMITS: { mfa_failed: '3/15m/user' } } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  for (let i = 0; i < 12; i++) {
    await verify(auth, await challengeOf(auth, 'ada'), wrongCode(auth, secret))
    auth.clock.advance(300_000)
  }
  // In one hour the account is locked four times, with at most one mail in 15 minutes.
  expect((await noticesIn(auth)).length).toBeLessThanOrEqual(4)
})

test('where the limit is switched off, only the challenges limit', async () => {
  const auth = await startAuth({ ACCOUNT: { RATE_LIMITS: { mfa_failed: 'none' } } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 20)
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, codeOf(auth, secret))).toMatchReply(200, KEY)
  expect(await noticesIn(auth)).toEqual([])
})

test('of several limits each counts for itself', async () => {
  const auth = await startAuth({ ACCOUNT: { RATE_LIMITS: { mfa_failed: '2/1m/user,3/1h/user' } } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  const guessOnce = async () =>
    verify(auth, await challengeOf(auth, 'ada'), wrongCode(auth, secret))
  await guess(auth, secret, 2)
  expect(await guessOnce()).toBeThrottled(60)
  auth.clock.advance(60_000)
  expect(await guessOnce()).toMatchReply(400, WRONG_CODE)
  expect(await guessOnce()).toBeThrottled(3540)
})

test('wrong codes can be limited by client address, too', async () => {
  const auth = await startAuth({ ACCOUNT: { RATE_LIMITS: { mfa_failed: '2/15m/ip' } } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  await guess(auth, secret, 2)
  const ephemeral_token = await challengeOf(auth, 'ada')
  const body = { ephemeral_token, code: codeOf(auth, secret) }
  expect(await auth.request.post('mfa/verify/', body)).toBeThrottled(900)
  const elsewhere = await auth.request.post('mfa/verify/', body, { from: '192.0.2.7' })
  expect(elsewhere).toMatchReply(200, KEY)
  expect(await noticesIn(auth)).toEqual([])
})
