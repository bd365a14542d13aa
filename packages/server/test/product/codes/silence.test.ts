import { expect, test } from 'vitest'
import { CODE_SENT, startWithCodes, WRONG } from '../../support/codes.ts'
import { statementsOf } from '../../support/queries.ts'

const NAMES = ['ada', 'uma', 'ines', 'sol', 'nobody']

async function startWithEverybody() {
  const auth = await startWithCodes()
  await auth.createUser({ username: 'uma', email: 'uma@example.com' })
  await auth.createUser({ username: 'ines', email: 'ines@example.com', active: false })
  await auth.createUser({ username: 'sol' })
  return auth
}

type Started = Awaited<ReturnType<typeof startWithEverybody>>

const headersOf = ({ headers }: Awaited<ReturnType<Started['confirm']>>) => {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return JSON.stringify(others)
}

test('nothing tells who exists, is active, or has a proved address', async () => {
  const { request } = await startWithEverybody()
  const seen = new Set<string>()
  for (const username of NAMES) {
    const reply = await request.post('login/code/', { username })
    expect(reply).toMatchReply(200, CODE_SENT)
    expect(reply.cookies).toEqual([])
    seen.add(headersOf(reply))
  }
  expect([...seen]).toHaveLength(1)
})

test('nor does the work that it takes', async () => {
  const auth = await startWithEverybody()
  const works = new Set<string>()
  for (const username of NAMES) {
    works.add(JSON.stringify(await statementsOf(auth, () => auth.ask({ username }))))
  }
  expect([...works]).toHaveLength(1)
})

test('nor does a wrong code, in its answer or its work', async () => {
  const auth = await startWithEverybody()
  const answers = new Set<string>()
  const works = new Set<string>()
  for (const username of NAMES) {
    const session_id = await auth.ask({ username })
    const guess = async () => {
      const reply = await auth.confirm({ session_id, code: 'wrong' })
      expect(reply, username).toMatchReply(400, WRONG)
      answers.add(headersOf(reply))
    }
    works.add(JSON.stringify(await statementsOf(auth, guess)))
  }
  expect([...answers]).toHaveLength(1)
  expect([...works]).toHaveLength(1)
})

test('nor does a session beyond the limit of mails', async () => {
  const auth = await startWithEverybody()
  const works = new Set<string>()
  for (const username of NAMES) {
    for (let n = 0; n < 3; n++) await auth.ask({ username })
    const work = await statementsOf(auth, async () => {
      const session_id = await auth.ask({ username })
      expect(await auth.confirm({ session_id, code: '000000' })).toMatchReply(400, WRONG)
    })
    works.add(JSON.stringify(work))
  }
  expect([...works]).toHaveLength(1)
})

test('only active users with an address get a mail, an unproved one, too', async () => {
  const { ask, mail } = await startWithEverybody()
  for (const username of NAMES) await ask({ username })
  const letters = await mail.letters()
  expect(letters.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'uma@example.com'])
})
