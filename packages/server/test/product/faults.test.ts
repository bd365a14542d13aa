import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { KEY, NOT_PROVIDED } from '../support/answers.ts'
import { countRows } from '../support/dump.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

test.each([
  ['beginTotpActivation', 'GET', 'mfa/totp/activate/', undefined, 'User inactive or deleted.'],
  ['updateUser', 'PATCH', 'user/', { first_name: 'Ada' }, NOT_PROVIDED.detail],
] as const)(
  'a user who is deleted during %s is refused',
  async (name, method, path, body, detail) => {
    const { auth, request, createUserWithToken, administration, findUser, db } = await startAuth()
    const token = await createUserWithToken('ada')
    const endpoint = auth.endpoints().find(({ operationId }) => operationId === name)
    if (!endpoint) throw new Error('There is no such endpoint.')
    const { handle } = endpoint
    endpoint.handle = async (call) => {
      const ada = await findUser('ada')
      await administration.remove(ada)
      return handle(call)
    }
    expect(await request.call(method, path, body, { token })).toMatchReply(401, { detail })
    expect(await countRows(db, 'totp_activations')).toBe(0)
  },
)

const credentials = { username: 'ada', password: PASSWORD }

test('a bug is answered with three words, and the interrupted change is not made', async () => {
  const { request, createUser, findUser, db } = await startAuth()
  await createUser({ username: 'ada' })
  await sql`alter table tokens rename to elsewhere`.execute(db)
  const mend = () => sql`alter table elsewhere rename to tokens`.execute(db)
  onTestFinished(async () => {
    await mend().catch(() => {})
  })

  const reply = await request.post('login/', credentials)
  expect(reply).toMatchReply(500, { detail: 'Internal server error.' })
  expect(reply.cookies).toEqual([])
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(await countRows(db, 'logins')).toBe(0)
  expect(await findUser('ada')).toMatchObject({ last_login_at: null })

  await mend()
  expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
})
