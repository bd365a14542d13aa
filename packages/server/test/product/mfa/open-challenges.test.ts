import { expect, test } from 'vitest'
import { transaction } from '../../../src/storage/transaction.ts'
import { countRows } from '../../support/dump.ts'
import {
  activate,
  challengeOf,
  codeOf,
  createUserWithMfa,
  DEAD_TOKEN,
  offerOf,
  verify,
} from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

test('a user has a hundred open challenges at most; the oldest makes room', async () => {
  const auth = await startAuth()
  const { secret } = await createUserWithMfa(auth, 'ada')
  const user = await auth.findUser('ada')
  const { challenges } = auth.auth.services.mfa
  const oldest = await challengeOf(auth, 'ada')
  for (let n = 0; n < 110; n++) {
    auth.clock.advance(1)
    await transaction(auth.handle, (tx) => challenges.open(user, { method: 'password' }, tx))
  }
  expect(await countRows(auth.db, 'mfa_challenges')).toBe(100)
  expect(await verify(auth, oldest, codeOf(auth, secret))).toMatchReply(400, DEAD_TOKEN)
  const youngest = await challengeOf(auth, 'ada')
  expect((await verify(auth, youngest, codeOf(auth, secret))).status).toBe(200)
})

test('a user has ten open activations at most, and the newest works', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  for (let n = 0; n < 15; n++) {
    auth.clock.advance(1)
    await offerOf(auth, { token })
  }
  expect(await countRows(auth.db, 'totp_activations')).toBe(10)
  auth.clock.advance(1)
  expect((await activate(auth, token)).codes).toHaveLength(10)
})
