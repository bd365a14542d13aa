import { expect, test } from 'vitest'
import { ADA, CODE_SENT, EXPIRED, otherThan, startWithCodes } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { connectBeside, onPostgres, waitForWaiter } from '../../support/postgres.ts'

test('of 24 parallel right codes one succeeds', async () => {
  const { begin, confirm, db } = await startWithCodes()
  const begun = await begin()
  const replies = await Promise.all(Array.from({ length: 24 }, () => confirm(begun)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const others = replies.filter(({ status }) => status !== 200)
  for (const reply of others) expect(reply).toMatchReply(400, EXPIRED)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('24 parallel guesses have three tries together', async () => {
  const { begin, confirm, db } = await startWithCodes()
  const { session_id, code } = await begin()
  const guess = () => confirm({ session_id, code: otherThan(code) })
  const replies = await Promise.all(Array.from({ length: 24 }, guess))
  const wrong = replies.filter(({ body }) => Object.hasOwn(body as object, 'code'))
  expect(wrong).toHaveLength(3)
  expect(await confirm({ session_id, code })).toMatchReply(400, EXPIRED)
  expect(await countRows(db, 'logins')).toBe(0)
})

test.runIf(onPostgres)('no code outlives an account that is being deleted', async () => {
  const started = await startWithCodes({}, { shared: true })
  const { request, db } = started
  const { id } = await started.findUser('ada')
  const operator = await connectBeside(started)
  await operator.query('begin')
  await operator.query('update users set id = id where id = $1', [id])
  const asking = request.post('login/code/', { email: ADA })
  await waitForWaiter(operator, asking)
  await operator.query('delete from users where id = $1', [id])
  await operator.query('commit')
  expect(await asking).toMatchReply(200, CODE_SENT)
  const codes = db.selectFrom('login_codes').select('user_id').where('user_id', '=', id)
  expect(await codes.execute()).toEqual([])
})
