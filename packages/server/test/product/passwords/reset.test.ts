import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { fromClient } from '../../support/client.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

const SENT = { detail: 'Password reset e-mail has been sent.' }
const DONE = { detail: 'Password has been reset with the new password.' }
const BAD_TOKEN = { token: ['Invalid value'] }
const ADA = 'ada@example.com'

async function startWithAda(...options: Parameters<typeof startAuth>) {
  const started = await startAuth(...options)
  const ada = await started.createUser({ username: 'ada', email: ADA })
  return { ...started, ada }
}

const confirm = ({ request }: StartedAuth, body: object) =>
  request.post('password/reset/confirm/', body)

test('a reset that fails at its last step changes nothing, and its link stays valid', async () => {
  const started = await startWithAda({ ACCOUNT: { RATE_LIMITS: { notice_mail: 'none' } } })
  const { db } = started
  const { uid, token } = await requestReset(started, ADA)
  const reset = () => confirm(started, { uid, token, ...twice(STRONG) })
  await db.schema.alterTable('limits').renameTo('elsewhere').execute()
  try {
    expect((await reset()).status).toBe(500)
  } finally {
    await db.schema.alterTable('elsewhere').renameTo('limits').execute()
  }
  expect(await reset()).toMatchReply(200, DONE)
})

test('three mails in 15 minutes and no more, silently, to addresses in any case, from all clients', async () => {
  const started = await startWithAda()
  const spellings = [ADA, 'ADA@example.com', 'ada@EXAMPLE.com', ADA, ADA]
  for (const [n, email] of spellings.entries()) {
    const reply = await started.request.post('password/reset/', { email }, fromClient(n))
    expect(reply).toMatchReply(200, SENT)
  }
  expect(await started.mail.letters()).toHaveLength(3)
  started.clock.advance(15 * MINUTE)
  await started.request.post('password/reset/', { email: ADA })
  expect(await started.mail.letters()).toHaveLength(4)
})

test('strangers cannot use up the mails of somebody who has not registered yet', async () => {
  const started = await startAuth()
  const ask = () => started.request.post('password/reset/', { email: ADA })
  for (let n = 0; n < 4; n++) expect(await ask()).toMatchReply(200, SENT)
  // The limit is the same: no more rows are written for an unknown address than for a known one.
  expect(await countRows(started.db, 'outbox')).toBe(3)
  await started.createUser({ username: 'ada', email: ADA })
  await ask()
  expect(await started.mail.letters()).toMatchObject([{ to: ADA }])
})

test('a reset revokes every token and session of the user, and of nobody else', async () => {
  const started = await startWithAda()
  await started.createUser({ username: 'bob' })
  const [adas, bobs] = [await started.logInBrowser('ada'), await started.logInBrowser('bob')]
  const login = await started.request.post('login/', { username: 'ada', password: PASSWORD })
  const { key } = login.body as { key: string }
  const { uid, token } = await requestReset(started, ADA)
  const reply = await confirm(started, { uid, token, ...twice(STRONG) })
  expect(reply.cookies).toEqual([])
  expect((await adas.get('user/')).status).toBe(401)
  expect((await started.request.get('user/', { token: key })).status).toBe(401)
  expect((await bobs.get('user/')).status).toBe(200)
})

test('of 24 parallel uses of one token one sets its password, and no other does', async () => {
  const started = await startWithAda()
  const { uid, token } = await requestReset(started, ADA)
  const passwords = Array.from({ length: 24 }, (_, i) => `${STRONG}-${i}`)
  const replies = await Promise.all(
    passwords.map((password) => confirm(started, { uid, token, ...twice(password) })),
  )
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  for (const reply of replies.filter((r) => r.status !== 200)) {
    expect(reply).toMatchReply(400, BAD_TOKEN)
  }
  const winner = passwords[replies.findIndex((r) => r.status === 200)]
  const login = await started.request.post('login/', { username: 'ada', password: winner })
  expect(login.status).toBe(200)
})
