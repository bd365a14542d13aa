import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { challengeOf, codeOf, createUserWithMfa, verify, WRONG_CODE } from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

async function start() {
  const auth = await startAuth()
  const user = await createUserWithMfa(auth, 'ada')
  const logIn = async (code: string) => verify(auth, await challengeOf(auth, 'ada'), code)
  return { auth, ...user, logIn }
}

test('a code works once', async () => {
  const { auth, secret, logIn } = await start()
  expect(await logIn(codeOf(auth, secret))).toMatchReply(200, KEY)
  expect(await logIn(codeOf(auth, secret))).toMatchReply(400, WRONG_CODE)
})

test('t, t − 1, t: only the first is accepted', async () => {
  const { auth, secret, logIn } = await start()
  expect(await logIn(codeOf(auth, secret))).toMatchReply(200, KEY)
  expect(await logIn(codeOf(auth, secret, -1))).toMatchReply(400, WRONG_CODE)
  expect(await logIn(codeOf(auth, secret))).toMatchReply(400, WRONG_CODE)
})

test('t − 1, t, t + 1, each after the other: all are accepted, and then none', async () => {
  const { auth, secret, logIn } = await start()
  for (const steps of [-1, 0, 1]) {
    expect(await logIn(codeOf(auth, secret, steps))).toMatchReply(200, KEY)
  }
  for (const steps of [1, 0, -1]) {
    expect(await logIn(codeOf(auth, secret, steps))).toMatchReply(400, WRONG_CODE)
  }
})

test('t + 1 spends t', async () => {
  const { auth, secret, logIn } = await start()
  expect(await logIn(codeOf(auth, secret, 1))).toMatchReply(200, KEY)
  expect(await logIn(codeOf(auth, secret))).toMatchReply(400, WRONG_CODE)
  auth.clock.advance(30_000)
  expect(await logIn(codeOf(auth, secret))).toMatchReply(400, WRONG_CODE)
  expect(await logIn(codeOf(auth, secret, 1))).toMatchReply(200, KEY)
})

test.each([-2, 2])('a code that is %i steps off is refused', async (steps) => {
  const { auth, secret, logIn } = await start()
  expect(await logIn(codeOf(auth, secret, steps))).toMatchReply(400, WRONG_CODE)
})

test('a code that logged in does not switch MFA off, nor the other way round', async () => {
  const { auth, secret, token, logIn } = await start()
  const code = codeOf(auth, secret)
  expect(await logIn(code)).toMatchReply(200, KEY)
  const deactivate = () => auth.request.post('mfa/totp/deactivate/', { code }, { token })
  expect(await deactivate()).toMatchReply(400, WRONG_CODE)
})

test('a challenge that was met is met for good', async () => {
  const { auth, secret, codes } = await start()
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, codeOf(auth, secret))).toMatchReply(200, KEY)
  for (const code of [codeOf(auth, secret), codeOf(auth, secret, 1), codes[0]]) {
    expect(await verify(auth, challenge, code)).toMatchReply(400, {
      ephemeral_token: ['Invalid or expired token.'],
    })
  }
})
